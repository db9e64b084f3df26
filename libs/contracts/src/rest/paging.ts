import { z } from 'zod';

export const PAGE_LIMIT_DEFAULT = 50;
export const PAGE_LIMIT_MAX = 200;

/** The largest number of a workflow version that can be stored. */
export const VERSION_MAX = 2_147_483_647;

/** Query of every list. `cursor` is the `nextCursor` of the page before; nothing may be read out of it. */
export const pageQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(PAGE_LIMIT_MAX).default(PAGE_LIMIT_DEFAULT),
  cursor: z.string().max(500).optional(),
});
export type PageQuery = z.infer<typeof pageQuerySchema>;

/** The orders of a list: by each of `keys`, with a `-` before it the other way round; `first` where none is asked for. (The type of a default cannot be told while the keys are open.) */
export function sortSchema<Key extends string>(keys: readonly Key[], first: Key | `-${Key}`) {
  return z.enum(keys.flatMap((key): (Key | `-${Key}`)[] => [key, `-${key}`])).default(first as never);
}

/** One page; `nextCursor` is null on the last one. */
export function pageOf<Item extends z.ZodType>(item: Item, id: string) {
  return z.object({ items: z.array(item), nextCursor: z.string().nullable() }).meta({ id });
}

export interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}

/** An instant in UTC, ISO 8601. */
export const instantSchema = z.iso.datetime();

/** `?name=true|false|1|0` in a query. */
export const queryFlagSchema = z.stringbool({ truthy: ['true', '1', ''], falsy: ['false', '0'] });

export const idParamsSchema = z.object({ id: z.uuid() });
export type IdParams = z.infer<typeof idParamsSchema>;
