import { type SearchHit, searchHitSchema } from '@medley/contracts';
import { ref } from 'vue';

const STORAGE_KEY = 'medley.recent';
const MOST = 6;

/** What was last gone to by the palette in this browser, the newest first. */
export const recentHits = ref<readonly SearchHit[]>(readStored());

export function remember(hit: SearchHit): void {
  recentHits.value = [hit, ...recentHits.value.filter(({ id }) => id !== hit.id)].slice(0, MOST);
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(recentHits.value));
  } catch {
    // A browser without storage forgets; nothing else depends on it.
  }
}

/** Another version of the console may have written something else. */
function readStored(): SearchHit[] {
  try {
    return searchHitSchema.array().parse(JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]'));
  } catch {
    return [];
  }
}
