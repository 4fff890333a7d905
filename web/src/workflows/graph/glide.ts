import type { ReactFlowInstance, Viewport } from '@xyflow/react';

export const zoomFrom = 0.1;
export const zoomTo = 1.5;

const restMs = 120;
const clickWithin = 3; // pixels
const readableFrom = 0.4; // small text has 5 pixels there

/**
 * Moves the canvas under the mouse and tells React Flow when it rests, which would otherwise ask every node at every
 * step. Dragged, it is a picture that only changes its place; zoomed, it is drawn anew. Touch is React Flow's own.
 */
export function glide(
  box: HTMLElement,
  flow: Pick<ReactFlowInstance, 'getViewport' | 'setViewport'>,
): () => void {
  const picture = box.querySelector<HTMLElement>('.react-flow__pane')!;
  const drawing = box.querySelector<HTMLElement>('.react-flow__viewport')!;
  let moved: Viewport | undefined; // where it is while React Flow does not know
  let resting: ReturnType<typeof setTimeout> | undefined;

  const stretchTo = (to: Viewport): void => {
    moved = to;
    drawing.style.transform = `translate(${to.x}px, ${to.y}px) scale(${to.zoom})`;
    box.toggleAttribute('data-zooming', true);
    showDetail(box, to.zoom);
  };
  const dragTo = (to: Viewport): void => {
    const { x, y } = flow.getViewport();
    moved = to;
    picture.style.transform = `translate(${to.x - x}px, ${to.y - y}px)`;
  };
  const rest = (): void => {
    clearTimeout(resting);
    if (moved === undefined) return;
    void flow.setViewport(moved);
    moved = undefined;
    box.toggleAttribute('data-zooming', false);
    picture.style.transform = '';
  };

  const onWheel = (event: WheelEvent): void => {
    if (!isOnCanvas(event)) return;
    event.preventDefault();
    event.stopPropagation();
    const from = moved ?? flow.getViewport();
    const zoom = Math.min(zoomTo, Math.max(zoomFrom, from.zoom * 2 ** wheelSteps(event)));
    const { left, top } = box.getBoundingClientRect();
    const [x, y] = [event.clientX - left, event.clientY - top];
    const grown = zoom / from.zoom;
    stretchTo({ x: x - (x - from.x) * grown, y: y - (y - from.y) * grown, zoom });
    clearTimeout(resting);
    resting = setTimeout(rest, restMs);
  };

  const onMouseDown = (event: MouseEvent): void => {
    rest();
    if (event.button !== 0 || event.ctrlKey || !isOnCanvas(event) || within(event, '.nopan')) return;
    event.stopPropagation();
    const [left, top] = [event.clientX, event.clientY];
    const from = flow.getViewport();
    const drag = ({ clientX, clientY }: MouseEvent): void => {
      if (moved === undefined && Math.hypot(clientX - left, clientY - top) < clickWithin) return;
      box.toggleAttribute('data-moving', true);
      dragTo({ ...from, x: from.x + clientX - left, y: from.y + clientY - top });
    };
    const drop = (): void => {
      window.removeEventListener('mousemove', drag);
      window.removeEventListener('selectstart', prevent);
      box.toggleAttribute('data-moving', false);
      if (moved !== undefined) swallowClick();
      rest();
    };
    window.addEventListener('mousemove', drag);
    window.addEventListener('selectstart', prevent);
    window.addEventListener('mouseup', drop, { once: true });
  };

  box.addEventListener('wheel', onWheel, { capture: true, passive: false });
  box.addEventListener('mousedown', onMouseDown, { capture: true });
  return () => {
    clearTimeout(resting);
    box.removeEventListener('wheel', onWheel, { capture: true });
    box.removeEventListener('mousedown', onMouseDown, { capture: true });
  };
}

/** Leaves out what nobody could read. */
export function showDetail(box: HTMLElement, zoom: number): void {
  box.toggleAttribute('data-far', zoom < readableFrom);
}

const prevent = (event: Event): void => event.preventDefault();

const within = ({ target }: Event, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null;

const isOnCanvas = (event: Event): boolean => within(event, '.react-flow__renderer');

/** As React Flow has it: by pixel, line or page, and a pinch on a Mac's touchpad counts ten times. */
function wheelSteps({ deltaY, deltaMode, ctrlKey }: WheelEvent): number {
  const unit =
    deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 0.002 : deltaMode === WheelEvent.DOM_DELTA_LINE ? 0.05 : 1;
  return -deltaY * unit * (ctrlKey && navigator.userAgent.includes('Mac') ? 10 : 1);
}

/** Whoever let go of the canvas over a node does not mean the node. */
function swallowClick(): void {
  const swallow = (event: MouseEvent): void => event.stopPropagation();
  window.addEventListener('click', swallow, { capture: true, once: true });
  setTimeout(() => window.removeEventListener('click', swallow, { capture: true }));
}
