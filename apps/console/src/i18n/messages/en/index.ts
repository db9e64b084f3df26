import { access } from './access.js';
import { audit } from './audit.js';
import { backfills } from './backfills.js';
import { calendars } from './calendars.js';
import { compute } from './compute.js';
import { control } from './control.js';
import { editor } from './editor.js';
import { common } from './everywhere.js';
import { limits } from './limits.js';
import { overview } from './overview.js';
import { projects } from './projects.js';
import { reasons } from './reasons.js';
import { runRooms } from './run-rooms.js';
import { runs } from './runs.js';
import { schedules } from './schedules.js';
import { secrets } from './secrets.js';
import { shell } from './shell.js';
import { signIn } from './sign-in.js';
import { states } from './states.js';
import { tokens } from './tokens.js';
import { variables } from './variables.js';
import { webhooks } from './webhooks.js';
import { workflows } from './workflows.js';

export const messages = {
  ...common,
  ...shell,
  ...signIn,
  ...states,
  ...editor,
  ...overview,
  ...workflows,
  ...secrets,
  ...variables,
  ...calendars,
  ...schedules,
  ...backfills,
  ...webhooks,
  ...runs,
  ...control,
  ...runRooms,
  ...reasons,
  ...compute,
  ...tokens,
  ...access,
  ...audit,
  ...projects,
  ...limits,
};

type Texts<Source> = { [Key in keyof Source]: Source[Key] extends string ? string : Texts<Source[Key]> };
/** The form every language has. */
export type Messages = Texts<typeof messages>;
/** The form of one part in another language. */
export type TextsOf<Source> = Texts<Source>;
