import { Controller } from '@nestjs/common';
import { Public } from '../access/access-rule.js';
import { Route } from '../rest/route.decorator.js';
import { openApiDocument } from './openapi-document.js';

@Controller()
export class OpenApiController {
  private readonly document = openApiDocument();

  @Route('getOpenApi')
  @Public()
  describe(): Record<string, unknown> {
    return this.document;
  }
}
