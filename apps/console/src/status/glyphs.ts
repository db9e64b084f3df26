/** Signs of states as stroke paths on a 16 × 16 field, drawn alike in the page and on the canvas. */
export const glyphs = {
  clock: 'M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 1 0 8 2.2M8 4.8V8l2.3 1.5',
  play: 'M5 3.2v9.6l7.6-4.8z',
  blocked: 'M5.6 2.2h4.8l3.4 3.4v4.8l-3.4 3.4H5.6l-3.4-3.4V5.6zM8 5v3.4M8 10.8v.2',
  send: 'M2.5 8h9.5M8.6 4.2 12.4 8l-3.8 3.8M2.5 5v6',
  running: 'M8 2.2a5.8 5.8 0 1 1-5.5 4M2 2.6l.5 3.6 3.6-.5',
  retry: 'M13.4 6.2A5.7 5.7 0 1 0 13.6 9M13.8 2.8v3.6h-3.6M8 5.4V8l1.8 1.2',
  check: 'M2.8 8.6l3.4 3.4 7-7.6',
  cross: 'M3.8 3.8l8.4 8.4M12.2 3.8l-8.4 8.4',
  skip: 'M3 3.8 7.2 8 3 12.2M8 3.8 12.2 8 8 12.2',
  slash: 'M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 1 0 8 2.2M4 4l8 8',
  stop: 'M4.2 4.2h7.6v7.6H4.2z',
  pause: 'M5.4 3.4v9.2M10.6 3.4v9.2',
  alarm: 'M8 3.6a5 5 0 1 0 0 10A5 5 0 1 0 8 3.6M8 5.8v3l2 1.2M2.2 4.2l2-2M13.8 4.2l-2-2',
  lost: 'M5.4 5.8a2.7 2.7 0 1 1 3.9 2.6C8.4 8.8 8 9.2 8 10.2M8 12.8v.2',
  online: 'M8 5.2a2.8 2.8 0 1 0 0 5.6A2.8 2.8 0 1 0 8 5.2M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 1 0 8 2.2',
  warn: 'M8 2.4 14.2 13H1.8zM8 6.4v3M8 11.2v.2',
  power: 'M8 2v5.4M4.6 4.2a5.2 5.2 0 1 0 6.8 0',
  lock: 'M4 7.4h8v6H4zM5.6 7.2V5a2.4 2.4 0 0 1 4.8 0v2.2',
  drain: 'M8 2.6v7.8M4.6 7.2 8 10.6l3.4-3.4M3 13.4h10',
} as const;

export type GlyphName = keyof typeof glyphs;
