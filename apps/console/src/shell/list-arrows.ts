const opens = 'a[href], button:not([disabled])';
/** What has no use for arrows of its own, as a field, a switch between few or a menu has. */
const lets = 'a, button:not([aria-haspopup]), input[type="checkbox"]:not([role])';

/** Arrows go from row to row of a list once the focus is in it, on what opens the row; down from a page's search goes into its list. Tells whether the focus moved. */
export function moveInList(key: string, target: Element): boolean {
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return false;
  const row = target.closest('.data-table tbody tr');
  if (row !== null && !target.matches(lets)) return false;
  const next = row === null ? intoList(key, target) : openerBeyond(row, key);
  next?.focus();
  return next !== null;
}

function intoList(key: string, target: Element): HTMLElement | null {
  if (key !== 'ArrowDown' || target.closest('.search-field') === null) return null;
  return document.querySelector<HTMLElement>(`main .data-table tbody :is(${opens})`);
}

/** Rows without anything to open are passed over. */
function openerBeyond(row: Element, key: string): HTMLElement | null {
  const beyond = (from: Element) => (key === 'ArrowDown' ? from.nextElementSibling : from.previousElementSibling);
  for (let at = beyond(row); at !== null; at = beyond(at)) {
    const opener = at.querySelector<HTMLElement>(`:is(${opens})`);
    if (opener !== null) return opener;
  }
  return null;
}
