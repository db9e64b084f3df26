import { useI18n } from 'vue-i18n';

/** An action in the reader's language; one that has no word yet by the name the API gives it. */
export function useActionText(): (action: string) => string {
  const { t, te } = useI18n();
  return (action) => (te(`audit.action.${action}`) ? t(`audit.action.${action}`) : action);
}
