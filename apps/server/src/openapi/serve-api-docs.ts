import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { openApiDocument } from './openapi-document.js';

export const DOCS_PATH = 'api/docs';

/** A page to read and try the API with, at /api/docs. */
export function serveApiDocs(app: NestFastifyApplication): void {
  SwaggerModule.setup(DOCS_PATH, app, () => openApiDocument() as unknown as OpenAPIObject, { customSiteTitle: 'Medley API', raw: false });
}
