import { glyphs } from '../status/glyphs.js';
import { statusCatalogue } from '../status/status-catalogue.js';
import { readToken } from '../theme/tokens.js';
import { type GanttBar, type GanttRow, stateOf, ticksOf } from './gantt-model.js';

export const rowHeight = 26;
export const axisHeight = 28;
export const labelWidth = 200;

export interface GanttScene {
  rows: readonly GanttRow[];
  /** What is in sight, in milliseconds, and the instant from which the axis counts. */
  from: number;
  to: number;
  origin: number;
  now: number;
  scrollTop: number;
  width: number;
  height: number;
  selected: string;
  /** Part of the axis that is being dragged over, in pixels. */
  brush: [number, number] | null;
  describe: (milliseconds: number) => string;
}

const icons = new Map(Object.entries(glyphs).map(([name, path]) => [name, new Path2D(path)]));
const pixelsPerTick = 96;

export function xOf({ from, to, width }: Pick<GanttScene, 'from' | 'to' | 'width'>, instant: number): number {
  return labelWidth + ((instant - from) / (to - from)) * (width - labelWidth - 12);
}

export function instantAt({ from, to, width }: Pick<GanttScene, 'from' | 'to' | 'width'>, x: number): number {
  return from + ((x - labelWidth) / (width - labelWidth - 12)) * (to - from);
}

/** Draws the rows in sight, however many there are. Colours come from the tokens of the theme. */
export function paintGantt(context: CanvasRenderingContext2D, scene: GanttScene, ratio: number): void {
  const { width, height, rows, scrollTop } = scene;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = readToken('--surface');
  context.fillRect(0, 0, width, height);
  context.font = `${readToken('--text-s')} ${readToken('--font-text')}`;
  context.textBaseline = 'middle';
  const first = Math.max(0, Math.floor(scrollTop / rowHeight));
  const last = Math.min(rows.length, Math.ceil((scrollTop + height) / rowHeight));
  paintGrid(context, scene);
  for (let index = first; index < last; index += 1) paintRow(context, scene, rows[index]!, axisHeight + index * rowHeight - scrollTop);
  paintAxis(context, scene);
}

function paintGrid(context: CanvasRenderingContext2D, scene: GanttScene): void {
  context.fillStyle = readToken('--chart-grid');
  for (const tick of marksOf(scene)) context.fillRect(Math.round(xOf(scene, scene.origin + tick)), axisHeight, 1, scene.height);
}

function marksOf(scene: GanttScene): number[] {
  return ticksOf(scene.from - scene.origin, scene.to - scene.origin, Math.max(2, Math.floor((scene.width - labelWidth) / pixelsPerTick)));
}

function paintAxis(context: CanvasRenderingContext2D, scene: GanttScene): void {
  context.fillStyle = readToken('--surface');
  context.fillRect(0, 0, scene.width, axisHeight);
  context.fillStyle = readToken('--text-faint');
  for (const tick of marksOf(scene)) {
    const x = xOf(scene, scene.origin + tick);
    if (x < scene.width - 40) context.fillText(tick === 0 ? '0' : `+${scene.describe(tick)}`, x + 4, axisHeight / 2);
  }
  context.fillStyle = readToken('--line');
  context.fillRect(0, axisHeight - 1, scene.width, 1);
  if (scene.brush === null) return;
  const [left, right] = [...scene.brush].sort((one, other) => one - other) as [number, number];
  context.globalAlpha = 0.18;
  context.fillStyle = readToken('--accent');
  context.fillRect(left, 0, right - left, scene.height);
  context.globalAlpha = 1;
}

function paintRow(context: CanvasRenderingContext2D, scene: GanttScene, row: GanttRow, y: number): void {
  if (row.key === scene.selected) {
    context.fillStyle = readToken('--surface-selected');
    context.fillRect(0, y, scene.width, rowHeight);
  }
  context.save();
  context.beginPath();
  context.rect(labelWidth, axisHeight, scene.width - labelWidth, scene.height);
  context.clip();
  for (const bar of row.bars) paintBar(context, scene, bar, y);
  if (row.isCritical) paintCritical(context, scene, row, y);
  context.restore();
  paintLabel(context, row, y);
}

function paintLabel(context: CanvasRenderingContext2D, row: GanttRow, y: number): void {
  const { tone, glyph } = statusCatalogue[row.state];
  paintIcon(context, glyph, readToken(`--tone-${tone}`), 10, y + (rowHeight - 12) / 2);
  context.fillStyle = readToken('--text');
  context.fillText(clipped(context, row.key, labelWidth - 40), 28, y + rowHeight / 2);
}

function paintBar(context: CanvasRenderingContext2D, scene: GanttScene, bar: GanttBar, y: number): void {
  const left = xOf(scene, bar.from);
  const right = Math.max(left + 2, xOf(scene, bar.to ?? scene.now));
  if (right < labelWidth || left > scene.width) return;
  const { tone, glyph } = statusCatalogue[stateOf(bar)];
  const color = readToken(`--tone-${tone}`);
  if (bar.kind !== 'running') {
    // A thin line for what only waits, so that it cannot be taken for work.
    context.fillStyle = color;
    context.globalAlpha = bar.kind === 'retry-wait' ? 0.9 : 0.45;
    context.fillRect(left, y + rowHeight / 2 - 2, right - left, 4);
    context.globalAlpha = 1;
    return;
  }
  context.fillStyle = readToken(`--tone-${tone}-soft`);
  context.strokeStyle = color;
  context.beginPath();
  context.roundRect(left + 0.5, y + 4.5, Math.max(2, right - left - 1), rowHeight - 9, 3);
  context.fill();
  context.stroke();
  if (right - left > 18) paintIcon(context, glyph, color, Math.max(left, labelWidth) + 4, y + (rowHeight - 12) / 2);
  const note = `${bar.child?.workflow ?? bar.attempt!.node} · ${scene.describe((bar.to ?? scene.now) - bar.from)}`;
  context.fillStyle = color;
  if (right - left > context.measureText(note).width + 28) context.fillText(note, Math.max(left, labelWidth) + 20, y + rowHeight / 2);
}

function paintCritical(context: CanvasRenderingContext2D, scene: GanttScene, row: GanttRow, y: number): void {
  const left = xOf(scene, row.bars[0]!.from);
  const right = xOf(scene, row.bars.at(-1)!.to ?? scene.now);
  context.fillStyle = readToken('--accent');
  context.fillRect(left, y + rowHeight - 3, Math.max(2, right - left), 2);
}

function paintIcon(context: CanvasRenderingContext2D, glyph: string, color: string, x: number, y: number): void {
  context.save();
  context.translate(x, y);
  context.scale(0.75, 0.75);
  context.strokeStyle = color;
  context.lineWidth = 1.8;
  context.stroke(icons.get(glyph)!);
  context.restore();
}

function clipped(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  let end = text.length;
  while (end > 1 && context.measureText(`${text.slice(0, end)}…`).width > width) end = Math.floor(end * 0.9);
  return `${text.slice(0, end)}…`;
}
