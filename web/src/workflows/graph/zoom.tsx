import { Panel, useReactFlow } from '@xyflow/react';
import { Button } from '../../ui/button.tsx';

export function Zoom() {
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  return (
    <Panel position="bottom-right" className="zoom">
      <Button size="s" icon="plus" aria-label="Zoom in" onClick={() => void zoomIn()} />
      <Button size="s" icon="minus" aria-label="Zoom out" onClick={() => void zoomOut()} />
      <Button size="s" icon="fit" aria-label="Show all" onClick={() => void fitView({ maxZoom: 1 })} />
    </Panel>
  );
}
