import { BarChart } from 'echarts/charts';
import { AriaComponent, GridComponent, LegendComponent, TooltipComponent } from 'echarts/components';
import { use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { readToken } from '../theme/tokens.js';

use([BarChart, GridComponent, LegendComponent, TooltipComponent, AriaComponent, CanvasRenderer]);

/** Axis, grid and tooltip in the look of the page; read anew when the theme changes. */
export function chartLook() {
  const axis = readToken('--chart-axis');
  const grid = readToken('--chart-grid');
  return {
    axisLabel: { color: axis, fontSize: 11 },
    axisLine: { lineStyle: { color: grid } },
    splitLine: { lineStyle: { color: grid } },
    tooltip: {
      backgroundColor: readToken('--surface-raised'),
      borderColor: readToken('--line'),
      textStyle: { color: readToken('--text'), fontSize: 12, fontFamily: readToken('--font-text') },
    },
    legend: { textStyle: { color: readToken('--text-soft'), fontSize: 12 }, itemWidth: 10, itemHeight: 10, icon: 'roundRect' },
  };
}
