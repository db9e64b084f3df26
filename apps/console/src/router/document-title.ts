import { effectScope, type MaybeRefOrGetter, onScopeDispose, ref, toValue, watchEffect } from 'vue';
import { i18n } from '../i18n/i18n.js';

/** Key of the title of the route; a view that shows one thing by name replaces it. */
export const routeTitle = ref<string | null>(null);
const ownTitle = ref<string | null>(null);

effectScope(true).run(() => {
  watchEffect(() => {
    const title = ownTitle.value ?? (routeTitle.value === null ? null : i18n.global.t(routeTitle.value));
    document.title = title === null || title === '' ? 'Medley' : `${title} · Medley`;
  });
});

/** Names the document after what the view shows, as long as it is shown. */
export function useDocumentTitle(title: MaybeRefOrGetter<string | null | undefined>): void {
  watchEffect(() => {
    ownTitle.value = toValue(title) ?? null;
  });
  onScopeDispose(() => {
    ownTitle.value = null;
  });
}
