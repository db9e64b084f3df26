import { faultText } from '../i18n/phrases.js';
import 'element-plus/es/components/message/style/css';
import 'element-plus/es/components/message-box/style/css';
import { ElMessage, ElMessageBox } from 'element-plus';
import { ApiProblem } from '../api/api-problem.js';
import { problemDetail, problemTitle } from '../api/problem-text.js';

type Translate = (key: string, values?: Record<string, unknown>) => string;

export function tellDone(text: string): void {
  ElMessage({ type: 'success', message: text, grouping: true });
}

/** A refusal of something the reader did: what, why, and the request's id. */
export function tellProblem(error: unknown, t: Translate): void {
  const message = error instanceof ApiProblem ? problemLine(error, t) : String(error);
  ElMessage({ type: 'error', message, duration: 8000, showClose: true, grouping: true });
}

function problemLine(problem: ApiProblem, t: Translate): string {
  const fields = problem.fields.map((field) => `${field.path}: ${faultText(field)}`);
  const parts = [problemTitle(problem, t), problemDetail(problem), ...fields].filter((part) => part !== '');
  const id = problem.requestId === '' ? '' : ` (${t('error.requestId')} ${problem.requestId})`;
  return `${parts.join(' · ')}${id}`;
}

/** Asks before something that cannot be taken back. Resolves to whether it was confirmed. */
export async function confirmed(title: string, text: string, action: string, cancel: string): Promise<boolean> {
  try {
    await ElMessageBox.confirm(text, title, {
      confirmButtonText: action,
      confirmButtonClass: 'el-button--danger',
      cancelButtonText: cancel,
      type: 'warning',
      autofocus: false,
    });
    return true;
  } catch {
    return false;
  }
}
