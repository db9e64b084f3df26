import { Aim, Clock, Connection, Cpu, DataLine, Files, Key, VideoPlay } from '@element-plus/icons-vue';
import type { Component } from 'vue';

export interface Room {
  route: string;
  label: string;
  icon: Component;
  /** Names of further routes that belong to the room. */
  covers?: string[];
}

export interface RoomGroup {
  label: string;
  rooms: Room[];
  /** Stands apart at the foot. */
  atFoot?: boolean;
}

/** The rooms that exist, in the order of the work. */
export const roomGroups: readonly RoomGroup[] = [
  {
    label: 'nav.operate',
    rooms: [
      { route: 'overview', label: 'nav.overview', icon: DataLine },
      { route: 'runs', label: 'nav.runs', icon: VideoPlay, covers: ['run'] },
      { route: 'schedules', label: 'nav.schedules', icon: Clock },
    ],
  },
  {
    label: 'nav.define',
    rooms: [{ route: 'workflows', label: 'nav.workflows', icon: Files, covers: ['workflow', 'workflow-new'] }],
  },
  {
    label: 'nav.compute',
    rooms: [
      { route: 'nodes', label: 'nav.nodes', icon: Cpu },
      { route: 'pools', label: 'nav.pools', icon: Connection },
      { route: 'placement', label: 'nav.placement', icon: Aim },
    ],
  },
  { label: 'nav.admin', rooms: [{ route: 'tokens', label: 'nav.tokens', icon: Key }], atFoot: true },
];
