import { answerRoots } from '@medley/contracts';
import { AppError, evaluateExpression, lookUpIn, type Outputs, parseExpression, phrase, type ReadOutputs } from '@medley/core';

export interface HttpAnswer {
  status: number;
  /** By lower-case name. */
  headers: Record<string, string>;
  body: string;
}

/** The outputs that an HTTP task takes from the answer, each by its expression. `json` has a value only where the body is JSON. */
export function outputsOfAnswer(expressions: Readonly<Record<string, string>>, answer: HttpAnswer): ReadOutputs {
  const lookUp = lookUpIn({ ...answer, json: parseJson(answer.body) });
  const outputs: Record<string, Outputs[string]> = {};
  for (const [name, source] of Object.entries(expressions)) {
    const parsed = parseExpression(source, answerRoots);
    if (!parsed.ok) return { ok: false, fault: phrase('output-of-answer', { name, why: parsed.faults.map(({ text }) => text) }) };
    try {
      outputs[name] = evaluateExpression(parsed.expression, lookUp);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const why = error.phrase ?? error.detail;
      const isJson = answer.body === '' || parseJson(answer.body) !== undefined;
      return { ok: false, fault: phrase('output-of-answer', { name, why: isJson ? why : phrase('answer-not-json', { why }) }) };
    }
  }
  return { ok: true, outputs };
}

function parseJson(body: string): Outputs[string] | undefined {
  try {
    return JSON.parse(body) as Outputs[string];
  } catch {
    return undefined;
  }
}
