import { ApiTokenEntity } from './api-token.entity.js';
import { ProjectEntity } from './project.entity.js';
import { SessionEntity } from './session.entity.js';
import { UserEntity } from './user.entity.js';

export { ApiTokenEntity, ProjectEntity, SessionEntity, UserEntity };

/** Entities of the tables that are read and written row by row; runs, placement and dispatch work on sets of rows and use SQL. */
export const entities = [ApiTokenEntity, ProjectEntity, SessionEntity, UserEntity];
