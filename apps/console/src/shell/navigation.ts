import {
  Aim,
  Calendar,
  Checked,
  Clock,
  Collection,
  Connection,
  Cpu,
  DataLine,
  Files,
  Folder,
  Key,
  Notebook,
  Odometer,
  User,
  VideoPlay,
} from '@element-plus/icons-vue';
import type { Permission } from '@medley/core';
import { type Component, type ComputedRef, computed } from 'vue';
import { useMay } from '../session/may.js';

export interface Room {
  route: string;
  label: string;
  icon: Component;
  /** What waits there for the reader and is counted beside the name. */
  counts?: 'approvals';
  /** Names of further routes that belong to the room. */
  covers?: string[];
  /** Shown to those only who have one of these, in whatever project. */
  needs?: readonly Permission[];
}

export interface RoomGroup {
  label: string;
  rooms: Room[];
  /** Stands apart at the foot. */
  atFoot?: boolean;
}

/** The rooms that exist, in the order of the work. */
const roomGroups: readonly RoomGroup[] = [
  {
    label: 'nav.operate',
    rooms: [
      { route: 'overview', label: 'nav.overview', icon: DataLine },
      { route: 'runs', label: 'nav.runs', icon: VideoPlay, covers: ['run'] },
      { route: 'approvals', label: 'nav.approvals', icon: Checked, counts: 'approvals' },
      { route: 'schedules', label: 'nav.schedules', icon: Clock },
    ],
  },
  {
    label: 'nav.define',
    rooms: [
      { route: 'workflows', label: 'nav.workflows', icon: Files, covers: ['workflow', 'workflow-new'] },
      { route: 'calendars', label: 'nav.calendars', icon: Calendar, needs: ['schedule:read'] },
      { route: 'variables', label: 'nav.variablesAndSecrets', icon: Collection, needs: ['variable:read'], covers: ['secrets'] },
    ],
  },
  {
    label: 'nav.compute',
    rooms: [
      { route: 'nodes', label: 'nav.nodes', icon: Cpu },
      { route: 'pools', label: 'nav.pools', icon: Connection },
      { route: 'limits', label: 'nav.limits', icon: Odometer },
      { route: 'placement', label: 'nav.placement', icon: Aim },
    ],
  },
  {
    label: 'nav.admin',
    rooms: [
      { route: 'projects', label: 'nav.projects', icon: Folder, needs: ['project:write'] },
      { route: 'access', label: 'nav.access', icon: User, needs: ['user:read', 'member:write'] },
      { route: 'tokens', label: 'nav.tokens', icon: Key },
      { route: 'audit', label: 'nav.audit', icon: Notebook, needs: ['audit:read'] },
    ],
    atFoot: true,
  },
];

/** The rooms of whoever is signed in. */
export function useRoomGroups(): ComputedRef<RoomGroup[]> {
  const may = useMay();
  return computed(() =>
    roomGroups
      .map((group) => ({
        ...group,
        rooms: group.rooms.filter(({ needs }) => !needs || needs.some((permission) => may(permission).allowed)),
      }))
      .filter(({ rooms }) => rooms.length > 0),
  );
}
