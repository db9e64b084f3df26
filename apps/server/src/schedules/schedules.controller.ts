import {
  type CalendarQuery,
  calendarQuerySchema,
  type IdParams,
  idParamsSchema,
  type NextFires,
  type NextFiresQuery,
  nextFiresQuerySchema,
  type Page,
  type PatchSchedule,
  type PreviewSchedule,
  patchScheduleSchema,
  previewScheduleSchema,
  type ScheduleCalendar,
  type ScheduleQuery,
  type ScheduleView,
  type SwitchedSchedules,
  type SwitchSchedules,
  scheduleQuerySchema,
  switchSchedulesSchema,
  type UpstreamDatesView,
} from '@medley/contracts';
import { Body, Controller, Inject, Param, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { inProjectOf, inVisibleProjects, onPlatform, RequirePermission } from '../access/access-rule.js';
import { type Caller, CurrentCaller, visibleProjects } from '../access/caller.js';
import { Route } from '../rest/route.decorator.js';
import { SchedulesService } from './schedules.service.js';

@Controller()
export class SchedulesController {
  constructor(@Inject(SchedulesService) private readonly schedules: SchedulesService) {}

  @Route('listSchedules')
  @RequirePermission('schedule:read', inVisibleProjects)
  list(@CurrentCaller() caller: Caller, @Query({ schema: scheduleQuerySchema }) query: ScheduleQuery): Promise<Page<ScheduleView>> {
    return this.schedules.list(query, visibleProjects(caller, 'schedule:read', query.projectId));
  }

  @Route('getScheduleCalendar')
  @RequirePermission('schedule:read', inVisibleProjects)
  calendar(@CurrentCaller() caller: Caller, @Query({ schema: calendarQuerySchema }) query: CalendarQuery): Promise<ScheduleCalendar> {
    return this.schedules.calendar(query, visibleProjects(caller, 'schedule:read', query.projectId));
  }

  @Route('switchSchedules')
  @RequirePermission('schedule:operate', inVisibleProjects)
  switch(
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
    @Body({ schema: switchSchedulesSchema }) body: SwitchSchedules,
  ): Promise<SwitchedSchedules> {
    return this.schedules.switch(
      body,
      { ...caller, requestId: String(request.id) },
      visibleProjects(caller, 'schedule:operate', body.projectId),
    );
  }

  @Route('getSchedule')
  @RequirePermission('schedule:read', inProjectOf('schedule'))
  get(@Param({ schema: idParamsSchema }) { id }: IdParams): Promise<ScheduleView> {
    return this.schedules.get(id);
  }

  @Route('patchSchedule')
  @RequirePermission('schedule:operate', inProjectOf('schedule'))
  patch(
    @Param({ schema: idParamsSchema }) { id }: IdParams,
    @Body({ schema: patchScheduleSchema }) body: PatchSchedule,
  ): Promise<ScheduleView> {
    return this.schedules.patch(id, body);
  }

  @Route('getNextFires')
  @RequirePermission('schedule:read', inProjectOf('schedule'))
  nextFires(
    @Param({ schema: idParamsSchema }) { id }: IdParams,
    @Query({ schema: nextFiresQuerySchema }) { count }: NextFiresQuery,
  ): Promise<NextFires> {
    return this.schedules.nextFires(id, count);
  }

  @Route('getUpstreamDates')
  @RequirePermission('schedule:read', inProjectOf('schedule'))
  upstreamDates(@CurrentCaller() caller: Caller, @Param({ schema: idParamsSchema }) { id }: IdParams): Promise<UpstreamDatesView> {
    return this.schedules.upstreamDates(id, visibleProjects(caller, 'workflow:read'));
  }

  @Route('previewSchedule')
  @RequirePermission('definition:check', onPlatform)
  preview(@CurrentCaller() caller: Caller, @Body({ schema: previewScheduleSchema }) body: PreviewSchedule): Promise<NextFires> {
    return this.schedules.preview(body, visibleProjects(caller, 'schedule:read'));
  }
}
