import {
  type CalendarListQuery,
  type CalendarParams,
  type CalendarView,
  calendarListQuerySchema,
  calendarParamsSchema,
  type ICalendarDays,
  type IdParams,
  idParamsSchema,
  type Page,
  type PutCalendar,
  putCalendarSchema,
  type ReadICalendar,
  readICalendarSchema,
} from '@medley/contracts';
import { Body, Controller, Inject, Param, Query } from '@nestjs/common';
import { inProjectOf, RequirePermission } from '../access/access-rule.js';
import { Route } from '../rest/route.decorator.js';
import { CalendarsService } from './calendars.service.js';
import { readICalendar } from './read-icalendar.js';

@Controller()
export class CalendarsController {
  constructor(@Inject(CalendarsService) private readonly calendars: CalendarsService) {}

  @Route('listCalendars')
  @RequirePermission('schedule:read', inProjectOf('project'))
  list(
    @Param({ schema: idParamsSchema }) { id }: IdParams,
    @Query({ schema: calendarListQuerySchema }) query: CalendarListQuery,
  ): Promise<Page<CalendarView>> {
    return this.calendars.list(id, query);
  }

  @Route('readICalendar')
  @RequirePermission('schedule:write', inProjectOf('project'))
  read(@Param({ schema: idParamsSchema }) _: IdParams, @Body({ schema: readICalendarSchema }) { text }: ReadICalendar): ICalendarDays {
    return readICalendar(text, Date.now());
  }

  @Route('getCalendar')
  @RequirePermission('schedule:read', inProjectOf('project'))
  get(@Param({ schema: calendarParamsSchema }) { id, name }: CalendarParams): Promise<CalendarView> {
    return this.calendars.get(id, name);
  }

  @Route('putCalendar')
  @RequirePermission('schedule:write', inProjectOf('project'))
  put(
    @Param({ schema: calendarParamsSchema }) { id, name }: CalendarParams,
    @Body({ schema: putCalendarSchema }) body: PutCalendar,
  ): Promise<CalendarView> {
    return this.calendars.put(id, name, body);
  }

  @Route('removeCalendar')
  @RequirePermission('schedule:write', inProjectOf('project'))
  remove(@Param({ schema: calendarParamsSchema }) { id, name }: CalendarParams): Promise<void> {
    return this.calendars.remove(id, name);
  }
}
