import type { SearchAnswer } from '@medley/contracts';
import { type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { VisibleProjects } from '../access/caller.js';
import { findByName, findRunsById, findRunsOf } from './search.repository.js';

const MOST_RUNS = 8;

@Injectable()
export class SearchService {
  private readonly sql: Sql;

  constructor(@Inject(DataSource) source: DataSource) {
    this.sql = sqlOutsideTransaction(source);
  }

  /** Kinds in the order of how often one goes to them; runs that are named themselves stand before all else. */
  async find(text: string, projects: VisibleProjects): Promise<SearchAnswer> {
    const runs = await findRunsById(this.sql, text, projects);
    const workflows = await findByName(this.sql, 'workflow', text, projects);
    const best = workflows.slice(0, 3).map(({ id }) => id);
    const runsOf = await findRunsOf(this.sql, best, MOST_RUNS);
    const found = new Set(runs.map(({ id }) => id));
    return {
      items: [
        ...runs,
        ...workflows,
        ...(await findByName(this.sql, 'schedule', text, projects)),
        ...(await findByName(this.sql, 'node', text, projects)),
        ...(await findByName(this.sql, 'pool', text, projects)),
        ...runsOf.filter(({ id }) => !found.has(id)).slice(0, MOST_RUNS - runs.length),
      ],
    };
  }
}
