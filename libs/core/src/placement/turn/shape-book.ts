import type { LabelExpression } from '../labels/label-expression.js';
import type { LabelSyntaxError } from '../labels/label-tokens.js';
import { parseLabelExpression } from '../labels/parse-label-expression.js';
import type { PlacementRequest } from '../placement-request.js';
import { type FoundEligibility, findEligibility, findShape, type RequestShape } from './request-shape.js';
import type { WorkingNode } from './working-node.js';

export type ShapeLookup = { ok: true; shape: RequestShape } | { ok: false; error: LabelSyntaxError };

type LabelsLookup = { ok: true; expression: LabelExpression | null } | { ok: false; error: LabelSyntaxError };

/** Works out each label expression, eligibility class and request shape once per turn. */
export class ShapeBook {
  private readonly expressions = new Map<string, LabelsLookup>();
  private readonly eligibilities = new Map<string, FoundEligibility>();
  private readonly shapes = new Map<string, ShapeLookup>();

  constructor(private readonly nodes: readonly WorkingNode[]) {}

  shapeOf(key: string, request: PlacementRequest): ShapeLookup {
    return remember(this.shapes, key, () => {
      const labels = this.expressionOf(request.labels);
      if (!labels.ok) return labels;
      return { ok: true, shape: findShape(request, labels.expression, this.eligibilityOf(request, labels.expression)) };
    });
  }

  private expressionOf(labels: string | null): LabelsLookup {
    return labels === null ? { ok: true, expression: null } : remember(this.expressions, labels, () => parseLabelExpression(labels));
  }

  private eligibilityOf(request: PlacementRequest, expression: LabelExpression | null): FoundEligibility {
    const key = JSON.stringify([request.runtime, request.labels]);
    return remember(this.eligibilities, key, () => findEligibility(this.nodes, expression, request.runtime));
  }
}

function remember<Value>(known: Map<string, Value>, key: string, make: () => Value): Value {
  let value = known.get(key);
  if (value === undefined) {
    value = make();
    known.set(key, value);
  }
  return value;
}
