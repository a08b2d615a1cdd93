/**
 * Schedules by cron expression and time zone, for reconcilers that run at certain times.
 *
 * @module
 */
export { CronSchedule, type CronScheduleOptions } from "./cron_schedule.ts";
