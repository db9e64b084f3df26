import { glyphs } from '../status/glyphs.js';
import { statusCatalogue, type Tone } from '../status/status-catalogue.js';
import { readToken } from '../theme/tokens.js';
import { CanvasViewport, type Size } from './canvas-viewport.js';
import { edgesOf, type GraphEdge, type GraphLayout, type GraphTask, nodeHeight, nodeWidth, type Point } from './graph-model.js';

/** Below this zoom a task is a coloured block; above it shows its sign and name, and from the next also its second line. */
const nameZoom = 0.34;
const noteZoom = 0.6;

interface Palette {
  page: string;
  line: string;
  text: string;
  faint: string;
  edge: string;
  accent: string;
  node: string;
  nameFont: string;
  noteFont: string;
  tone: (tone: Tone, soft?: boolean) => string;
}

/** What the drawing shows; replaced as a whole when tasks, states or the selection change. */
export interface CanvasScene {
  tasks: readonly GraphTask[];
  layout: GraphLayout;
  selected: string | null;
  /** Tasks that a search or filter leaves; null shows all alike. */
  matching: ReadonlySet<string> | null;
}

/** Draws thousands of tasks with pan, zoom and level of detail. It asks for frames only when something changed. */
export class CanvasGraph {
  readonly viewport = new CanvasViewport();
  hovered: string | null = null;
  #scene: CanvasScene = {
    tasks: [],
    layout: { positions: new Map(), width: 0, height: 0, direction: 'right' },
    selected: null,
    matching: null,
  };
  #edges: GraphEdge[] = [];
  #size: Size = { width: 0, height: 0 };
  #palette: Palette = readPalette();
  #frame = 0;
  readonly #icons = new Map<string, Path2D>(Object.entries(glyphs).map(([name, path]) => [name, new Path2D(path)]));

  constructor(private readonly canvas: HTMLCanvasElement) {}

  show(scene: CanvasScene): void {
    if (scene.tasks !== this.#scene.tasks) this.#edges = edgesOf(scene.tasks);
    this.#scene = scene;
    this.redraw();
  }

  resize(size: Size): void {
    this.#size = size;
    const ratio = devicePixelRatio || 1;
    this.canvas.width = Math.round(size.width * ratio);
    this.canvas.height = Math.round(size.height * ratio);
    this.redraw();
  }

  /** Reads the colours again after the theme changed. */
  repaint(): void {
    this.#palette = readPalette();
    this.redraw();
  }

  fit(): void {
    this.viewport.fit(this.#scene.layout, this.#size);
    this.redraw();
  }

  /** Brings a task to the middle, close enough to be read. */
  reveal(key: string): void {
    const at = this.#scene.layout.positions.get(key);
    if (at === undefined) return;
    this.viewport.zoom = Math.max(this.viewport.zoom, 0.8);
    this.viewport.centreOn({ x: at.x + nodeWidth / 2, y: at.y + nodeHeight / 2 }, this.#size);
    this.redraw();
  }

  /** Whether a task can be seen and read where the drawing stands. */
  isInSight(key: string): boolean {
    const at = this.#scene.layout.positions.get(key);
    if (at === undefined || this.viewport.zoom < nameZoom) return false;
    const upperLeft = this.viewport.toDrawing({ x: 0, y: 0 });
    const lowerRight = this.viewport.toDrawing({ x: this.#size.width, y: this.#size.height });
    return at.x >= upperLeft.x && at.y >= upperLeft.y && at.x + nodeWidth <= lowerRight.x && at.y + nodeHeight <= lowerRight.y;
  }

  taskAt(screen: Point): GraphTask | null {
    const { x, y } = this.viewport.toDrawing(screen);
    for (const task of this.#scene.tasks) {
      const at = this.#scene.layout.positions.get(task.key);
      if (at && x >= at.x && x <= at.x + nodeWidth && y >= at.y && y <= at.y + nodeHeight) return task;
    }
    return null;
  }

  redraw(): void {
    this.#frame ||= requestAnimationFrame(() => this.#draw());
  }

  dispose(): void {
    cancelAnimationFrame(this.#frame);
  }

  #draw(): void {
    this.#frame = 0;
    const context = this.canvas.getContext('2d');
    if (context === null) return;
    const ratio = devicePixelRatio || 1;
    const { zoom, x, y } = this.viewport;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = this.#palette.page;
    context.fillRect(0, 0, this.#size.width, this.#size.height);
    context.setTransform(ratio * zoom, 0, 0, ratio * zoom, ratio * x, ratio * y);
    this.#drawEdges(context);
    for (const task of this.#scene.tasks) this.#drawTask(context, task);
  }

  #drawEdges(context: CanvasRenderingContext2D): void {
    const { selected, matching } = this.#scene;
    const near = this.hovered ?? selected;
    const plain = new Path2D();
    const strong = new Path2D();
    for (const edge of this.#edges) {
      const from = this.#scene.layout.positions.get(edge.from);
      const to = this.#scene.layout.positions.get(edge.to);
      if (!from || !to || !this.#edgeIsVisible(from, to)) continue;
      tracePath(edge.from === near || edge.to === near ? strong : plain, from, to);
    }
    context.lineWidth = Math.max(1, 0.7 / this.viewport.zoom);
    context.strokeStyle = this.#palette.edge;
    context.globalAlpha = near !== null || matching !== null ? 0.25 : Math.max(0.3, Math.min(0.9, 250 / this.#edges.length));
    context.stroke(plain);
    context.globalAlpha = 1;
    context.lineWidth = Math.max(1.6, 1.4 / this.viewport.zoom);
    context.strokeStyle = this.#palette.accent;
    context.stroke(strong);
  }

  #edgeIsVisible(from: Point, to: Point): boolean {
    const upperLeft = this.viewport.toDrawing({ x: 0, y: 0 });
    const lowerRight = this.viewport.toDrawing({ x: this.#size.width, y: this.#size.height });
    const isBeside = Math.max(from.x, to.x) + nodeWidth < upperLeft.x || Math.min(from.x, to.x) > lowerRight.x;
    const isAbove = Math.max(from.y, to.y) + nodeHeight < upperLeft.y || Math.min(from.y, to.y) > lowerRight.y;
    return !isBeside && !isAbove;
  }

  #drawTask(context: CanvasRenderingContext2D, task: GraphTask): void {
    const at = this.#scene.layout.positions.get(task.key);
    if (at === undefined || !this.#edgeIsVisible(at, at)) return;
    const look = task.state === undefined ? null : statusCatalogue[task.state];
    const isClose = this.viewport.zoom >= nameZoom;
    context.globalAlpha = this.#scene.matching === null || this.#scene.matching.has(task.key) ? 1 : 0.15;
    const plain = isClose ? this.#palette.node : this.#palette.line;
    context.fillStyle = look === null ? plain : this.#palette.tone(look.tone, isClose);
    context.strokeStyle = look === null ? this.#palette.line : this.#palette.tone(look.tone);
    context.lineWidth = 1;
    context.beginPath();
    context.roundRect(at.x, at.y, nodeWidth, nodeHeight, 6);
    context.fill();
    if (isClose) context.stroke();
    if (isClose) this.#drawWords(context, task, at);
    if (task.key === this.#scene.selected || task.key === this.hovered) this.#drawRing(context, at);
    context.globalAlpha = 1;
  }

  #drawWords(context: CanvasRenderingContext2D, task: GraphTask, at: Point): void {
    const look = task.state === undefined ? null : statusCatalogue[task.state];
    if (look !== null) {
      context.save();
      context.translate(at.x + 10, at.y + nodeHeight / 2 - 8);
      context.strokeStyle = this.#palette.tone(look.tone);
      context.lineWidth = 1.8;
      context.lineCap = 'round';
      context.stroke(this.#icons.get(look.glyph)!);
      context.restore();
    }
    const hasNote = task.note !== undefined && this.viewport.zoom >= noteZoom;
    const left = at.x + (look === null ? 10 : 34);
    context.textBaseline = 'middle';
    context.font = this.#palette.nameFont;
    context.fillStyle = this.#palette.text;
    context.fillText(shortened(task.key, look === null ? 25 : 21), left, at.y + (hasNote ? 15 : nodeHeight / 2));
    if (!hasNote) return;
    context.font = this.#palette.noteFont;
    context.fillStyle = this.#palette.faint;
    context.fillText(shortened(task.note!, 26), left, at.y + 31);
  }

  #drawRing(context: CanvasRenderingContext2D, at: Point): void {
    const width = Math.max(2, 2 / this.viewport.zoom);
    context.lineWidth = width;
    context.strokeStyle = this.#palette.accent;
    context.beginPath();
    context.roundRect(at.x - width, at.y - width, nodeWidth + 2 * width, nodeHeight + 2 * width, 8);
    context.stroke();
  }
}

function tracePath(path: Path2D, from: Point, to: Point): void {
  const start = { x: from.x + nodeWidth, y: from.y + nodeHeight / 2 };
  const end = { x: to.x, y: to.y + nodeHeight / 2 };
  const bend = Math.max(24, (end.x - start.x) / 2);
  path.moveTo(start.x, start.y);
  path.bezierCurveTo(start.x + bend, start.y, end.x - bend, end.y, end.x, end.y);
}

function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

function readPalette(): Palette {
  const tones = new Map<string, string>();
  const tone = (name: Tone, soft = false) => {
    const token = `--tone-${name}${soft ? '-soft' : ''}`;
    if (!tones.has(token)) tones.set(token, readToken(token));
    return tones.get(token)!;
  };
  return {
    page: readToken('--surface'),
    line: readToken('--line-strong'),
    text: readToken('--text'),
    faint: readToken('--text-faint'),
    edge: readToken('--graph-edge'),
    accent: readToken('--accent'),
    node: readToken('--graph-node'),
    nameFont: `${readToken('--weight-medium')} ${readToken('--text-m')} ${readToken('--font-text')}`,
    noteFont: `400 ${readToken('--text-xs')} ${readToken('--font-text')}`,
    tone,
  };
}
