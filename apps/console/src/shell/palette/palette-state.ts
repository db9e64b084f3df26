import { ref } from 'vue';

export type Overlay = 'palette' | 'keys';

/** What lies over the page, one thing at a time. */
export const openOverlay = ref<Overlay | null>(null);

/** Id of the workflow whose run form is open, wherever it was asked for. */
export const startingWorkflow = ref<string | null>(null);
