import type { SearchHit } from '@medley/contracts';
import type { Component } from 'vue';
import type { RouteLocationRaw } from 'vue-router';
import type { AnyState } from '../../status/status-catalogue.js';

export type EntryGroup = 'recent' | 'pages' | 'found' | 'actions';

/** One line of the palette. */
export interface PaletteEntry {
  key: string;
  group: EntryGroup;
  title: string;
  detail?: string;
  icon?: Component;
  state?: AnyState;
  perform: () => void | Promise<void>;
}

/** Where a hit is shown. */
export function placeOf(hit: Pick<SearchHit, 'kind' | 'id' | 'workflowId'>): RouteLocationRaw {
  switch (hit.kind) {
    case 'workflow':
      return { name: 'workflow', params: { workflowId: hit.id } };
    case 'run':
      return { name: 'run', params: { runId: hit.id } };
    case 'schedule':
      return { name: 'workflow', params: { workflowId: hit.workflowId ?? '' }, query: { tab: 'schedules' } };
    case 'node':
      return { name: 'nodes', query: { node: hit.id } };
    case 'pool':
      return { name: 'nodes', query: { pool: hit.id } };
  }
}

/** Whether every word of the text is part of the title, so that "dark theme" finds "Theme: dark". */
export function matches(title: string, text: string): boolean {
  const inTitle = title.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => inTitle.includes(word));
}

/** What is looked for on the server: the text without the verb that it begins with. */
export function searchedText(text: string, verbs: readonly string[]): string {
  const trimmed = text.trim();
  const verb = verbs.find((each) => trimmed.toLowerCase().startsWith(`${each.toLowerCase()} `));
  return verb === undefined ? trimmed : trimmed.slice(verb.length).trim();
}
