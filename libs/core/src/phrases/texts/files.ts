import type { TextTable } from './text-table.js';

/** Working files: what the file says of them, and why keeping or fetching one failed. */
export const fileTexts = {
  'file-pattern-form': {
    en: 'a path within the working directory in which `*`, `?` and `**` stand for anything, e.g. `out/*.parquet`',
    'zh-CN': '工作目录内的路径，可含通配符 `*`、`?` 和 `**`，例如 `out/*.parquet`',
  },
  'file-folder-form': { en: 'a folder within the working directory, e.g. `in`', 'zh-CN': '工作目录内的文件夹，例如 `in`' },
  'files-of-kind': {
    en: '`files` has no meaning in a {kind} task: it has no working directory',
    'zh-CN': '`files` 对 {kind} 任务没有意义：它没有工作目录',
  },
  'files-empty': { en: '`files` names neither what to keep nor what to fetch', 'zh-CN': '`files` 既没有写明保留什么，也没有写明取回什么' },
  'files-form': { en: '`keep` with patterns, or `fetch` with tasks', 'zh-CN': '`keep`（模式）或 `fetch`（任务）' },
  'files-not-kept': { en: 'task `{name}` keeps no files', 'zh-CN': '任务 `{name}` 不保留任何文件' },
  'files-not-kept-form': { en: 'a task with `files.keep`', 'zh-CN': '带有 `files.keep` 的任务' },
  'files-too-many': {
    en: 'it was to keep {count} files, more than the {limit} that a task may keep',
    'zh-CN': '需保留 {count} 个文件，超过每个任务可保留的 {limit} 个',
  },
  'kept-file-too-large': {
    en: 'it was to keep `{path}` of {bytes} bytes, more than the {limit} that one file may have',
    'zh-CN': '需保留的 `{path}` 有 {bytes} 字节，超过单个文件的上限 {limit} 字节',
  },
  'files-too-large': {
    en: 'it was to keep files of {bytes} bytes together, more than the {limit} that a task may keep',
    'zh-CN': '需保留的文件共 {bytes} 字节，超过每个任务可保留的 {limit} 字节',
  },
  'file-name-unfit': {
    en: 'it was to keep `{path}`, whose name not every platform can store',
    'zh-CN': '需保留的 `{path}` 的名称并非所有平台都能存储',
  },
  'files-not-stored': { en: 'its files could not be kept: {why}', 'zh-CN': '无法保留其文件：{why}' },
  'file-not-fetched': { en: '`{path}` could not be fetched: {why}', 'zh-CN': '无法取回 `{path}`：{why}' },
  'file-hash-differs': { en: 'its content is not what was kept', 'zh-CN': '其内容与所保留的不一致' },
  'file-body-differs': {
    en: 'What was sent is not the file that was announced: its size or hash differs.',
    'zh-CN': '所发送的内容与声明的文件不符：大小或哈希不同。',
  },
  'files-attempt-over': {
    en: 'The attempt has ended for the server or is of another node.',
    'zh-CN': '对服务端而言该尝试已结束，或属于其他节点。',
  },
  'files-none-match': {
    en: 'No file that task `{name}` has kept matches {patterns}.',
    'zh-CN': '任务 `{name}` 保留的文件中没有与 {patterns} 匹配的。',
  },
  'files-expired': {
    en: 'The files of task `{name}` are past the time that files are kept; run that task again.',
    'zh-CN': '任务 `{name}` 的文件已超过保留期限；请重新运行该任务。',
  },
  'files-fetch-too-many': {
    en: '{count} files are to be fetched, more than the {limit} that a task may fetch.',
    'zh-CN': '需取回 {count} 个文件，超过每个任务可取回的 {limit} 个。',
  },
  'files-place-too-long': {
    en: 'A file would be fetched as `{path}`, a path that is too long; fetch it to a folder with a shorter name (`to`).',
    'zh-CN': '有文件将取回为 `{path}`，该路径过长；请取回到名称更短的文件夹（`to`）。',
  },
  'files-same-place': {
    en: 'Two files are to be fetched as `{path}`; fetch them to different folders (`to`).',
    'zh-CN': '有两个文件都要取回为 `{path}`；请取回到不同的文件夹（`to`）。',
  },
  'agent-cannot-files': {
    en: 'The agent of the node is too old to keep or fetch working files and has to be updated.',
    'zh-CN': '节点上的代理版本过旧，无法保留或取回工作文件，需要升级。',
  },
  'no-such-file': {
    en: 'There is no such file, or it is past the time that files are kept.',
    'zh-CN': '没有该文件，或已超过文件的保留期限。',
  },
  'removed-cannot-files': { en: 'its agent is too old for working files', 'zh-CN': '其代理版本过旧，不支持工作文件' },
} as const satisfies TextTable;
