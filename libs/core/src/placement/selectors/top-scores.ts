import type { PlacementScore } from '../placement-decision.js';
import type { WorkingNode } from '../turn/working-node.js';
import type { Selection } from './selector.js';

const topCount = 10;

/** The ten best candidates, best first; the chosen one takes the last place when it is not among them. */
export function topScores(candidates: readonly WorkingNode[], selection: Selection): PlacementScore[] {
  const { values, best, chosenIndex } = selection;
  const sign = best === 'highest' ? -1 : 1;
  const top: number[] = [];
  for (let index = 0; index < candidates.length; index += 1) {
    const value = sign * (values[index] as number);
    if (top.length === topCount && value >= sign * (values[top[topCount - 1] as number] as number)) continue;
    let place = top.length;
    while (place > 0 && value < sign * (values[top[place - 1] as number] as number)) place -= 1;
    top.splice(place, 0, index);
    if (top.length > topCount) top.pop();
  }
  if (!top.includes(chosenIndex)) top[top.length - 1] = chosenIndex;
  return top.map((index) => toScore(candidates[index] as WorkingNode, selection, index));
}

function toScore({ snapshot }: WorkingNode, { weights, values, valueName }: Selection, index: number): PlacementScore {
  const common = { nodeId: snapshot.id, nodeName: snapshot.name, performance: snapshot.performance, weight: weights[index] as number };
  const value = values[index] as number;
  return valueName === 'probability' ? { ...common, probability: value } : { ...common, score: value };
}
