import { onBeforeUnmount, onMounted } from 'vue';
import { moveInList } from './list-arrows.js';
import { openOverlay } from './palette/palette-state.js';

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);
/** The keys that open the palette, as the keyboard at hand names them. */
export const paletteKeys = [isApple ? '⌘' : 'Ctrl', 'K'];

/** Ctrl/⌘ K, `?`, arrows in lists, and `/` where the page has no search of its own. Keys that are typed into a field stay in it. */
export function useShellKeys(): void {
  onMounted(() => addEventListener('keydown', onKey));
  onBeforeUnmount(() => removeEventListener('keydown', onKey));
}

function onKey(event: KeyboardEvent): void {
  if ((event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'k') {
    event.preventDefault();
    openOverlay.value = openOverlay.value === 'palette' ? null : 'palette';
    return;
  }
  if (movesInList(event)) event.preventDefault();
  const isTyping = (event.target as HTMLElement).closest('input, textarea, [contenteditable="true"]') !== null;
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || openOverlay.value !== null) return;
  if (event.key === '?') openOverlay.value = 'keys';
  if (event.key === '/' && document.querySelector('.search-field') === null) {
    event.preventDefault();
    openOverlay.value = 'palette';
  }
}

/** Not in an overlay of the shell, and not where a component took the key. */
function movesInList(event: KeyboardEvent): boolean {
  const isPlain = !event.defaultPrevented && !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
  return isPlain && openOverlay.value === null && moveInList(event.key, event.target as HTMLElement);
}
