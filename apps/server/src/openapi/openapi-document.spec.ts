import { type RestRoute, restRoutes, workflowJsonSchema } from '@medley/contracts';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from './openapi-document.js';

interface Content {
  [type: string]: { schema?: Record<string, unknown> };
}
interface Operation {
  operationId: string;
  parameters: { name: string; in: string }[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content; headers?: object }>;
}

const document = openApiDocument() as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Record<string, unknown>> };
};
const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
const operation = (name: string) => operations.find(({ operationId }) => operationId === name)!;
const routes = Object.entries(restRoutes as Record<string, RestRoute>);

/** What a schema says once references are followed. */
function resolved(schema: Record<string, unknown> | undefined): Record<string, unknown> {
  const name = (schema?.$ref as string | undefined)?.replace('#/components/schemas/', '');
  return name === undefined ? (schema ?? {}) : resolved(document.components.schemas[name]);
}
const saysSomething = (schema: Record<string, unknown> | undefined) => ['type', 'anyOf', 'oneOf'].some((key) => key in resolved(schema));
const withHeader = (name: string) =>
  operations
    .filter(({ parameters }) => parameters.some((each) => each.in === 'header' && each.name === name))
    .map((each) => each.operationId);

describe('the OpenAPI document', () => {
  it('describes every operation of the contract', () => {
    expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(routes.map(([name]) => name).toSorted());
  });

  it.each(routes)('says what %s takes and answers', (name, route) => {
    const { requestBody, responses } = operation(name);
    expect(requestBody !== undefined).toBe(route.body !== undefined);
    for (const [type, { schema }] of Object.entries(requestBody?.content ?? {})) expect(saysSomething(schema), type).toBe(true);
    const status = route.status ?? 200;
    const answers = Object.entries(responses[status]!.content ?? {});
    expect(answers.length > 0).toBe(status !== 204 && status !== 302);
    for (const [type, { schema }] of answers) expect(saysSomething(schema), type).toBe(true);
  });

  it.each(['applyWorkflow', 'validateWorkflow'])('gives %s the schema of the workflow file', (name) => {
    const { title, properties, required } = resolved(operation(name).requestBody!.content['application/json']!.schema);
    const published = workflowJsonSchema();
    expect({ title, required }).toEqual({ title: published.title, required: published.required });
    expect(Object.keys(properties as object)).toEqual(Object.keys(published.properties as object));
    expect(Object.keys(properties as object)).toContain('tasks');
  });

  it('tells the data of an event', () => {
    const { type, items } = resolved(operation('streamEvents').responses[200]!.content!['text/event-stream']!.schema) as {
      type: string;
      items: object;
    };
    expect([type, Object.keys(resolved(items as Record<string, unknown>).properties as object)]).toEqual([
      'array',
      ['entity', 'id', 'projectId', 'runId'],
    ]);
  });

  it('tells the headers that make calls repeatable and conditional', () => {
    expect(withHeader('Idempotency-Key').toSorted()).toEqual(
      [
        'applyWorkflow',
        'createGroup',
        'createJoinToken',
        'createLimit',
        'createPlatformLimit',
        'createPool',
        'createProject',
        'createSavedView',
        'createToken',
        'createUser',
        'rerun',
        'startBackfill',
        'startRun',
        'startRunBulk',
      ].toSorted(),
    );
    expect(withHeader('If-Match')).toEqual(['applyWorkflow']);
    const tagged = operations.filter(({ responses }) => 'ETag' in (responses[200]?.headers ?? {})).map(({ operationId }) => operationId);
    expect(tagged).toEqual(['getWorkflow', 'getWorkflowVersion']);
  });
});
