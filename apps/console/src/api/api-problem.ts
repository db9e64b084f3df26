import type { Problem, ProblemField } from '@medley/contracts';

/** A refusal of the server as problem+json, or the lack of any answer (`status` 0, code `unreachable`). */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';

  constructor(readonly problem: Problem) {
    super(problem.detail);
  }

  get status(): number {
    return this.problem.status;
  }

  get code(): string {
    return this.problem.code;
  }

  get fields(): readonly ProblemField[] {
    return this.problem.fields ?? [];
  }

  get requestId(): string {
    return this.problem.requestId;
  }
}

/** Reads the problem out of an answer outside 2xx; proxies that answer with something else are told as they are. */
export async function problemOf(response: Response): Promise<ApiProblem> {
  const text = await response.text();
  const requestId = response.headers.get('x-request-id') ?? '';
  try {
    const body = JSON.parse(text) as Partial<Problem>;
    if (typeof body.code === 'string' && typeof body.detail === 'string') {
      return new ApiProblem({ type: 'about:blank', title: body.code, status: response.status, requestId, ...body } as Problem);
    }
  } catch {
    // Not JSON: an answer of something between the browser and the server.
  }
  const detail = `${response.status} ${response.statusText}`.trim();
  return new ApiProblem({ type: 'about:blank', title: detail, status: response.status, code: 'unavailable', detail, requestId });
}

/** The server could not be reached at all. */
export function unreachable(cause: unknown): ApiProblem {
  const detail = cause instanceof Error ? cause.message : String(cause);
  return new ApiProblem({ type: 'about:blank', title: 'unreachable', status: 0, code: 'unreachable', detail, requestId: '' });
}
