import { BarChart, LineChart } from 'echarts/charts';
import { AriaComponent, BrushComponent, GridComponent, LegendComponent, TooltipComponent } from 'echarts/components';
import { use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { readSize, readToken } from '../theme/tokens.js';

use([BarChart, LineChart, GridComponent, LegendComponent, TooltipComponent, BrushComponent, AriaComponent, CanvasRenderer]);

const SERIES_COLORS = 8;

/** Axis, grid and tooltip in the look of the page; read anew when the theme changes. */
export function chartLook() {
  const axis = readToken('--chart-axis');
  const grid = readToken('--chart-grid');
  const fontFamily = readToken('--font-text');
  return {
    axisLabel: { color: axis, fontSize: readSize('--text-xs'), fontFamily, hideOverlap: true },
    axisLine: { lineStyle: { color: grid } },
    splitLine: { lineStyle: { color: grid } },
    tooltip: {
      backgroundColor: readToken('--surface-raised'),
      borderColor: readToken('--line'),
      textStyle: { color: readToken('--text'), fontSize: readSize('--text-s'), fontFamily },
      confine: true,
      transitionDuration: 0,
    },
    legend: {
      type: 'scroll' as const,
      textStyle: { color: readToken('--text-soft'), fontSize: readSize('--text-s'), fontFamily },
      pageTextStyle: { color: axis },
      itemWidth: 10,
      itemHeight: 10,
      icon: 'roundRect',
    },
    brush: { brushStyle: { color: readToken('--chart-brush'), borderColor: readToken('--accent') }, transformable: false },
  };
}

/** The colour of one of several things that differ by name only, such as nodes. */
export function seriesColor(index: number): string {
  return readToken(`--series-${(index % SERIES_COLORS) + 1}`);
}
