import {
  type CandidateQuery,
  candidateQuerySchema,
  type IdParams,
  idParamsSchema,
  type MemberCandidates,
  type MemberParams,
  type MemberQuery,
  memberParamsSchema,
  memberQuerySchema,
  type Page,
  type ProjectMember,
  type PutMember,
  putMemberSchema,
} from '@medley/contracts';
import { Body, Controller, Inject, Param, Query } from '@nestjs/common';
import { Route } from '../../rest/route.decorator.js';
import { inProjectOf, RequirePermission } from '../access-rule.js';
import { type Caller, CurrentCaller } from '../caller.js';
import { MembersService } from './members.service.js';

@Controller()
export class MembersController {
  constructor(@Inject(MembersService) private readonly members: MembersService) {}

  @Route('listProjectMembers')
  @RequirePermission('member:read', inProjectOf('project'))
  list(
    @Param({ schema: idParamsSchema }) { id }: IdParams,
    @Query({ schema: memberQuerySchema }) query: MemberQuery,
  ): Promise<Page<ProjectMember>> {
    return this.members.list(id, query);
  }

  @Route('listMemberCandidates')
  @RequirePermission('member:write', inProjectOf('project'))
  candidates(
    @Param({ schema: idParamsSchema }) _params: IdParams,
    @Query({ schema: candidateQuerySchema }) { search }: CandidateQuery,
  ): Promise<MemberCandidates> {
    return this.members.candidates(search);
  }

  @Route('putProjectMember')
  @RequirePermission('member:write', inProjectOf('project'))
  put(
    @Param({ schema: idParamsSchema }) { id }: IdParams,
    @Body({ schema: putMemberSchema }) body: PutMember,
    @CurrentCaller() caller: Caller,
  ): Promise<ProjectMember> {
    return this.members.put(id, body, caller);
  }

  @Route('removeProjectMember')
  @RequirePermission('member:write', inProjectOf('project'))
  remove(@Param({ schema: memberParamsSchema }) { id, memberId }: MemberParams): Promise<void> {
    return this.members.remove(id, memberId);
  }
}
