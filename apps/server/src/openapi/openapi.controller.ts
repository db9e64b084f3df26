import { workflowJsonSchema } from '@medley/contracts';
import { Controller } from '@nestjs/common';
import { Public } from '../access/access-rule.js';
import { Route } from '../rest/route.decorator.js';
import { openApiDocument } from './openapi-document.js';

@Controller()
export class OpenApiController {
  private readonly document = openApiDocument();
  private readonly workflowSchema = workflowJsonSchema();

  @Route('getOpenApi')
  @Public()
  describe(): Record<string, unknown> {
    return this.document;
  }

  @Route('getWorkflowSchema')
  @Public()
  describeWorkflow(): Record<string, unknown> {
    return this.workflowSchema;
  }
}
