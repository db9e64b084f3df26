import { sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { dropOldSamples, takeSamples } from '../history/node-samples.repository.js';
import type { PassResult } from './pass-runner.js';

/** Writes down each node's load for the charts over time, and forgets what is too old for them. */
@Injectable()
export class SamplePass {
  constructor(@Inject(DataSource) private readonly source: DataSource) {}

  async run(): Promise<PassResult> {
    const sql = sqlOutsideTransaction(this.source);
    return { again: (await takeSamples(sql)) && (await dropOldSamples(sql)) };
  }
}
