import { problemSchema, REST_PREFIX, type RestRoute, restRoutes, workflowSchema } from '@medley/contracts';
import type { z } from 'zod';
import { type JsonSchema, SchemaCollection } from './json-schemas.js';

const VERSION = '0.1.0';
const bodyForms = { 'workflow-file': workflowSchema.meta({ id: 'WorkflowFile', title: 'Medley workflow file' }) };
const keyText =
  'Makes the call repeatable for a day: under the same key it is done once, and a repetition gets the first answer. Where the answer holds a secret, a repetition is refused with idempotency-key-reused.';
const matchText = 'The ETag of the version that was edited. When it is not the latest any more, the call is refused with stale-version.';
const eventsText =
  'The data of an event named `changed`. An event named `hello`, at the start and after a gap, has no content: fetch again.';

/** OpenAPI 3.1 of the REST API, made from the list of operations. */
export function openApiDocument(): Record<string, unknown> {
  const schemas = new SchemaCollection();
  const problem = { $ref: (schemas.schemaOf(problemSchema, 'output') as { $ref: string }).$ref };
  const answersFirst = Object.entries(restRoutes as Record<string, RestRoute>);
  for (const [, route] of answersFirst) if (route.answer) schemas.schemaOf(route.answer, 'output');
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, route] of answersFirst) {
    const path = `${REST_PREFIX}${route.path.replace(/:([A-Za-z]+)/g, '{$1}')}`;
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = operationOf(name, route, schemas, problem);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Medley', version: VERSION, description: 'Every error is an application/problem+json with a stable code.' },
    paths,
    components: {
      schemas: schemas.components,
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'An API token' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'medley_session',
          description: 'Set by /login',
        },
      },
    },
    security: [{ token: [] }, { session: [] }],
  };
}

function operationOf(name: string, route: RestRoute, schemas: SchemaCollection, problem: JsonSchema) {
  return {
    operationId: name,
    summary: route.summary,
    tags: [route.path.split('/')[1]],
    ...(route.open ? { security: [] } : {}),
    parameters: [...pathParameters(route.path), ...(route.query ? queryParameters(route.query, schemas) : []), ...headerParameters(route)],
    ...(route.body ? { requestBody: bodyOf(route, route.body, schemas) } : {}),
    responses: {
      [route.status ?? 200]: answerOf(route, schemas),
      default: { description: 'A refusal', content: { 'application/problem+json': { schema: problem } } },
    },
  };
}

function pathParameters(path: string) {
  return [...path.matchAll(/:([A-Za-z]+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: name === 'version' ? { type: 'integer', minimum: 1 } : { type: 'string', format: 'uuid' },
  }));
}

function queryParameters(query: z.ZodType, schemas: SchemaCollection) {
  const { properties = {}, required = [] } = schemas.schemaOf(query, 'input') as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', required: required.includes(name), schema }));
}

function headerParameters({ repeatable, conditional }: RestRoute) {
  const header = (name: string, maxLength: number, description: string) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string', minLength: 1, maxLength },
  });
  return [...(repeatable ? [header('Idempotency-Key', 200, keyText)] : []), ...(conditional ? [header('If-Match', 200, matchText)] : [])];
}

function bodyOf(route: RestRoute, body: z.ZodType, schemas: SchemaCollection) {
  const content: Record<string, unknown> = {
    'application/json': { schema: schemas.schemaOf(route.bodyForm ? bodyForms[route.bodyForm] : body, 'input') },
  };
  for (const type of route.bodyTypes ?? []) content[type] = { schema: { type: 'string', description: 'The same structure as text.' } };
  return { required: true, content };
}

function answerOf(route: RestRoute, schemas: SchemaCollection) {
  const tag = route.tagged
    ? { headers: { ETag: { description: 'The checksum of the version, for If-Match.', schema: { type: 'string' } } } }
    : {};
  if (route.answer)
    return { description: 'Done', ...tag, content: { 'application/json': { schema: schemas.schemaOf(route.answer, 'output') } } };
  if (route.status === 302) return { description: 'Go on there', headers: { Location: { schema: { type: 'string', format: 'uri' } } } };
  if (!route.answerType) return { description: 'Done' };
  return { description: 'Done', content: { [route.answerType.split(';')[0]!]: { schema: otherAnswerOf(route, schemas) } } };
}

function otherAnswerOf({ events, answerType }: RestRoute, schemas: SchemaCollection): JsonSchema {
  if (events) return { ...schemas.schemaOf(events, 'output'), description: eventsText };
  return { type: answerType === 'application/json' ? 'object' : 'string' };
}
