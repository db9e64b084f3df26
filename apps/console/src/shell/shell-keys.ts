import { onBeforeUnmount, onMounted } from 'vue';
import { openOverlay } from './palette/palette-state.js';

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);
/** The keys that open the palette, as the keyboard at hand names them. */
export const paletteKeys = [isApple ? '⌘' : 'Ctrl', 'K'];

/** Ctrl/⌘ K, `?`, and `/` where the page has no search of its own. Keys that are typed into a field stay in it. */
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
  const isTyping = (event.target as HTMLElement).closest('input, textarea, [contenteditable="true"]') !== null;
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || openOverlay.value !== null) return;
  if (event.key === '?') openOverlay.value = 'keys';
  if (event.key === '/' && document.querySelector('.search-field') === null) {
    event.preventDefault();
    openOverlay.value = 'palette';
  }
}
