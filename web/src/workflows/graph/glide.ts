import type { ReactFlowInstance, Viewport } from '@xyflow/react';

export const zoomFrom = 0.1;
export const zoomTo = 1.5;

const restMs = 200; // longer than it takes from one notch of a wheel to the next
const clickWithin = 3; // pixels
const readableFrom = 0.4; // small text has 5 pixels there
const smallest = 0.5; // of a picture: what comes into view beside it has to be drawn as large as the picture was

/**
 * Moves the canvas under the mouse and tells React Flow when it rests, which would otherwise ask every node at every
 * step. On its way it is a picture that only changes its place and size, and at rest it is drawn anew. Touch is React
 * Flow's own.
 */
export function glide(
  box: HTMLElement,
  flow: Pick<ReactFlowInstance, 'getViewport' | 'setViewport'>,
): () => void {
  const picture = box.querySelector<HTMLElement>('.react-flow__pane')!;
  const drawing = box.querySelector<HTMLElement>('.react-flow__viewport')!;
  let moved: Viewport | undefined; // where it is while React Flow does not know
  let drawn = flow.getViewport(); // where the picture was drawn
  let frame = 0;
  let resting: ReturnType<typeof setTimeout> | undefined;

  const draw = (at: Viewport): void => {
    drawn = at;
    drawing.style.transform = `translate(${at.x}px, ${at.y}px) scale(${at.zoom})`;
    showDetail(box, at.zoom);
  };
  const moveTo = (to: Viewport, by: 'drag' | 'zoom'): void => {
    if (moved === undefined) drawn = flow.getViewport();
    moved = to;
    box.dataset['moving'] = by;
    if (to.zoom < drawn.zoom * smallest) draw(to);
    const grown = to.zoom / drawn.zoom;
    picture.style.transform = `translate(${to.x - drawn.x * grown}px, ${to.y - drawn.y * grown}px) scale(${grown})`;
  };
  const stayAwake = (): void => {
    cancelAnimationFrame(frame);
    clearTimeout(resting);
  };
  const rest = (): void => {
    stayAwake();
    if (moved === undefined) return;
    draw(moved);
    void flow.setViewport(moved);
    moved = undefined;
    delete box.dataset['moving'];
    picture.style.transform = '';
  };
  /** Not before the last step is seen: a picture that takes longer than that to be drawn would be drawn at every step. */
  const restSoon = (): void => {
    stayAwake();
    frame = requestAnimationFrame(() => {
      resting = setTimeout(rest, restMs);
    });
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
    moveTo({ x: x - (x - from.x) * grown, y: y - (y - from.y) * grown, zoom }, 'zoom');
    restSoon();
  };

  const onMouseDown = (event: MouseEvent): void => {
    rest();
    if (event.button !== 0 || event.ctrlKey || !isOnCanvas(event) || within(event, '.nopan')) return;
    event.stopPropagation();
    const [left, top] = [event.clientX, event.clientY];
    const from = flow.getViewport();
    const drag = ({ clientX, clientY }: MouseEvent): void => {
      if (moved === undefined && Math.hypot(clientX - left, clientY - top) < clickWithin) return;
      moveTo({ ...from, x: from.x + clientX - left, y: from.y + clientY - top }, 'drag');
    };
    const drop = (): void => {
      window.removeEventListener('mousemove', drag);
      window.removeEventListener('selectstart', prevent);
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
    stayAwake();
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
