import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('projects')
export class ProjectEntity {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text', { unique: true })
  name: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'clock_timestamp()' })
  createdAt: Date;

  /** Workflow files that were written under these go on to find it. */
  @Column('text', { name: 'former_names', array: true, default: [] })
  formerNames: string[];

  @Column('timestamptz', { name: 'removed_at', nullable: true })
  removedAt: Date | null;
}
