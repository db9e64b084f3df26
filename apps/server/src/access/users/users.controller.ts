import {
  type ChangeUsers,
  type CreatedUser,
  type CreateUser,
  changeUsersSchema,
  createUserSchema,
  type IdParams,
  idParamsSchema,
  type Page,
  type PatchUser,
  patchUserSchema,
  type ResetPassword,
  type ResetPasswordAnswer,
  resetPasswordSchema,
  type UserDetail,
  type UserImpact,
  type UserQuery,
  type UsersChange,
  type UserView,
  userQuerySchema,
} from '@medley/contracts';
import { Body, Controller, Inject, Param, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { type Idempotency, IdempotencyKey } from '../../rest/idempotency.js';
import { Route } from '../../rest/route.decorator.js';
import { onPlatform, RequirePermission } from '../access-rule.js';
import { type Caller, CurrentCaller } from '../caller.js';
import { UsersService } from './users.service.js';

@Controller()
export class UsersController {
  constructor(@Inject(UsersService) private readonly users: UsersService) {}

  @Route('listUsers')
  @RequirePermission('user:read', onPlatform)
  list(@Query({ schema: userQuerySchema }) query: UserQuery): Promise<Page<UserView>> {
    return this.users.list(query);
  }

  @Route('createUser')
  @RequirePermission('user:write', onPlatform)
  create(@Body({ schema: createUserSchema }) body: CreateUser, @IdempotencyKey() idempotency: Idempotency | null): Promise<CreatedUser> {
    return this.users.create(body, idempotency);
  }

  @Route('changeUsers')
  @RequirePermission('user:write', onPlatform)
  changeMany(
    @CurrentCaller() caller: Caller,
    @Body({ schema: changeUsersSchema }) body: ChangeUsers,
    @Req() request: FastifyRequest,
  ): Promise<UsersChange> {
    return this.users.changeMany({ ...caller, requestId: String(request.id) }, body);
  }

  @Route('getUser')
  @RequirePermission('user:read', onPlatform)
  get(@Param({ schema: idParamsSchema }) { id }: IdParams): Promise<UserDetail> {
    return this.users.get(id);
  }

  @Route('patchUser')
  @RequirePermission('user:write', onPlatform)
  patch(@Param({ schema: idParamsSchema }) { id }: IdParams, @Body({ schema: patchUserSchema }) body: PatchUser): Promise<UserDetail> {
    return this.users.patch(id, body);
  }

  @Route('resetPassword')
  @RequirePermission('user:write', onPlatform)
  resetPassword(
    @Param({ schema: idParamsSchema }) { id }: IdParams,
    @Body({ schema: resetPasswordSchema }) body: ResetPassword,
  ): Promise<ResetPasswordAnswer> {
    return this.users.resetPassword(id, body);
  }

  @Route('unlockUser')
  @RequirePermission('user:write', onPlatform)
  unlock(@Param({ schema: idParamsSchema }) { id }: IdParams): Promise<UserDetail> {
    return this.users.unlock(id);
  }

  @Route('getUserImpact')
  @RequirePermission('user:read', onPlatform)
  impact(@Param({ schema: idParamsSchema }) { id }: IdParams): Promise<UserImpact> {
    return this.users.impact(id);
  }

  @Route('removeUser')
  @RequirePermission('user:write', onPlatform)
  remove(@Param({ schema: idParamsSchema }) { id }: IdParams): Promise<UserImpact> {
    return this.users.remove(id);
  }
}
