import {
  type AddGroupMember,
  addGroupMemberSchema,
  type CreateGroup,
  createGroupSchema,
  type GroupMember,
  type GroupMemberParams,
  type GroupQuery,
  type GroupView,
  groupMemberParamsSchema,
  groupQuerySchema,
  type IdParams,
  idParamsSchema,
  type Page,
  type PageQuery,
  type PatchGroup,
  pageQuerySchema,
  patchGroupSchema,
} from '@medley/contracts';
import { Body, Controller, Inject, Param, Query } from '@nestjs/common';
import { type Idempotency, IdempotencyKey } from '../../rest/idempotency.js';
import { Route } from '../../rest/route.decorator.js';
import { onPlatform, RequirePermission } from '../access-rule.js';
import { GroupsService } from './groups.service.js';

@Controller()
export class GroupsController {
  constructor(@Inject(GroupsService) private readonly groups: GroupsService) {}

  @Route('listGroups')
  @RequirePermission('group:read', onPlatform)
  list(@Query({ schema: groupQuerySchema }) query: GroupQuery): Promise<Page<GroupView>> {
    return this.groups.list(query);
  }

  @Route('createGroup')
  @RequirePermission('group:write', onPlatform)
  create(@Body({ schema: createGroupSchema }) body: CreateGroup, @IdempotencyKey() idempotency: Idempotency | null): Promise<GroupView> {
    return this.groups.create(body, idempotency);
  }

  @Route('getGroup')
  @RequirePermission('group:read', onPlatform)
  get(@Param({ schema: idParamsSchema }) { id }: IdParams): Promise<GroupView> {
    return this.groups.get(id);
  }

  @Route('patchGroup')
  @RequirePermission('group:write', onPlatform)
  patch(@Param({ schema: idParamsSchema }) { id }: IdParams, @Body({ schema: patchGroupSchema }) body: PatchGroup): Promise<GroupView> {
    return this.groups.patch(id, body);
  }

  @Route('removeGroup')
  @RequirePermission('group:write', onPlatform)
  remove(@Param({ schema: idParamsSchema }) { id }: IdParams): Promise<void> {
    return this.groups.remove(id);
  }

  @Route('listGroupMembers')
  @RequirePermission('group:read', onPlatform)
  members(
    @Param({ schema: idParamsSchema }) { id }: IdParams,
    @Query({ schema: pageQuerySchema }) query: PageQuery,
  ): Promise<Page<GroupMember>> {
    return this.groups.members(id, query);
  }

  @Route('addGroupMember')
  @RequirePermission('group:write', onPlatform)
  addMember(
    @Param({ schema: idParamsSchema }) { id }: IdParams,
    @Body({ schema: addGroupMemberSchema }) { userId }: AddGroupMember,
  ): Promise<GroupMember> {
    return this.groups.addMember(id, userId);
  }

  @Route('removeGroupMember')
  @RequirePermission('group:write', onPlatform)
  removeMember(@Param({ schema: groupMemberParamsSchema }) { id, userId }: GroupMemberParams): Promise<void> {
    return this.groups.removeMember(id, userId);
  }
}
