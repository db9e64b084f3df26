import { phrase } from '@medley/core';
import { z } from 'zod';
import { instantSchema, pageOf, pageQuerySchema, sortSchema } from './paging.js';
import type { RestRoute } from './route.js';
import { told } from './told.js';
import { variableNameSchema } from './variables.js';

/** As a workflow file names it. */
export const calendarNameSchema = variableNameSchema;
export const calendarParamsSchema = z.object({ id: z.uuid(), name: calendarNameSchema });
export type CalendarParams = z.infer<typeof calendarParamsSchema>;

export const maxCalendars = 100;
export const maxCalendarDays = 2000;

/** The names of days by yyyy-mm-dd; a name may be empty. */
const daysSchema = z
  .record(z.iso.date(), z.string().max(200))
  .refine((days) => Object.keys(days).length <= maxCalendarDays, told(phrase('calendar-days-most', { limit: maxCalendarDays })));

/** `weekend` holds weekdays from Sunday = 0. A day of `working` is a working day whatever the other two say. */
const calendarShape = {
  description: z.string().max(1000).default(''),
  weekend: z.array(z.number().int().min(0).max(6)).max(6).default([]),
  excluded: daysSchema.default({}),
  working: daysSchema.default({}),
};

/** `version` is the one that was read; null for a calendar that is new. */
export const putCalendarSchema = z
  .strictObject({ ...calendarShape, version: z.number().int().min(1).nullable().default(null) })
  .meta({ id: 'PutCalendar' });
export type PutCalendar = z.infer<typeof putCalendarSchema>;

/** `schedules` counts those that rest by it. */
export const calendarViewSchema = z
  .object({
    projectId: z.uuid(),
    name: z.string(),
    description: z.string(),
    weekend: z.array(z.number().int()),
    excluded: z.record(z.string(), z.string()),
    working: z.record(z.string(), z.string()),
    version: z.number().int(),
    schedules: z.number().int(),
    updatedAt: instantSchema,
  })
  .meta({ id: 'Calendar' });
export type CalendarView = z.infer<typeof calendarViewSchema>;
export const calendarPageSchema = pageOf(calendarViewSchema, 'CalendarPage');

/** `search` is part of a name or of a description. */
export const calendarListQuerySchema = pageQuerySchema.extend({
  search: z.string().max(100).optional(),
  sort: sortSchema(['name', 'schedules', 'updated'], 'name'),
});
export type CalendarListQuery = z.infer<typeof calendarListQuerySchema>;

/** The text of an iCalendar file (RFC 5545). */
export const readICalendarSchema = z.strictObject({ text: z.string().min(1).max(1_000_000) }).meta({ id: 'ReadICalendar' });
export type ReadICalendar = z.infer<typeof readICalendarSchema>;

/** `days` are those that its events cover; `until` says how far repeated ones were followed, `left` counts events of hours, which are no days. */
export const iCalendarDaysSchema = z
  .object({
    name: z.string().nullable(),
    days: z.record(z.string(), z.string()),
    left: z.number().int(),
    until: z.iso.date(),
  })
  .meta({ id: 'ICalendarDays' });
export type ICalendarDays = z.infer<typeof iCalendarDaysSchema>;

export const calendarRoutes = {
  listCalendars: {
    method: 'GET',
    path: '/projects/:id/calendars',
    summary: 'Calendars of a project, by name or as sorted',
    query: calendarListQuerySchema,
    answer: calendarPageSchema,
  },
  getCalendar: { method: 'GET', path: '/projects/:id/calendars/:name', summary: 'A calendar of a project', answer: calendarViewSchema },
  putCalendar: {
    method: 'PUT',
    path: '/projects/:id/calendars/:name',
    summary: 'Create a calendar or change it; the next fires of its schedules follow at once',
    body: putCalendarSchema,
    answer: calendarViewSchema,
  },
  removeCalendar: {
    method: 'DELETE',
    path: '/projects/:id/calendars/:name',
    summary: 'Remove a calendar that no schedule uses',
    status: 204,
  },
  readICalendar: {
    method: 'POST',
    path: '/projects/:id/calendars/read',
    summary: 'The days of an iCalendar file, to be looked at before they are put into a calendar',
    body: readICalendarSchema,
    answer: iCalendarDaysSchema,
  },
} as const satisfies Record<string, RestRoute>;
