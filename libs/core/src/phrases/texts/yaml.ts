import type { TextTable } from './text-table.js';

/** The syntax of YAML. The codes after `yaml-` are those of the library that reads it, in lower case. */
export const yamlTexts = {
  'file-too-large': { en: 'the file is larger than 5 MiB', 'zh-CN': '文件超过 5 MiB' },
  'file-size-limit': { en: 'at most 5 MiB', 'zh-CN': '最多 5 MiB' },
  'several-documents': {
    en: 'the text holds several documents; a workflow file holds one',
    'zh-CN': '文本含有多个文档；工作流文件只能有一个',
  },
  'text-empty': { en: 'the text is empty', 'zh-CN': '文本为空' },
  'nested-too-deep': { en: 'the text is nested more than {limit} levels deep', 'zh-CN': '文本嵌套超过 {limit} 层' },
  'nested-or-circular': {
    en: 'the text is nested more than {limit} levels deep, or an alias holds itself',
    'zh-CN': '文本嵌套超过 {limit} 层，或某个别名包含自身',
  },
  'too-many-pieces': { en: 'the text has more pieces than a workflow file may have', 'zh-CN': '文本的语法成分超过工作流文件的上限' },
  'too-many-values': {
    en: 'aliases repeat more values than a workflow file may have',
    'zh-CN': '别名重复出的值超过工作流文件的上限',
  },
  'alias-unknown': {
    en: 'the alias `*{name}` has no anchor `&{name}` before it',
    'zh-CN': '别名 `*{name}` 之前没有锚点 `&{name}`',
  },
  'key-not-text': { en: 'a key is not a plain text', 'zh-CN': '有一个键不是纯文本' },
  'key-forbidden': { en: '`{key}` cannot be a key', 'zh-CN': '`{key}` 不能用作键' },
  'key-twice': { en: 'the key `{key}` stands here twice', 'zh-CN': '键 `{key}` 在此处出现两次' },

  'yaml-alias-props': { en: 'an alias cannot have an anchor or a tag of its own', 'zh-CN': '别名不能再带锚点或标签' },
  'yaml-bad-alias': {
    en: 'an alias (`*name`) cannot stand here or has no proper name',
    'zh-CN': '此处不能使用别名（`*name`），或其名称无效',
  },
  'yaml-bad-collection-type': { en: 'the tag does not fit this kind of value', 'zh-CN': '标签与此处的值类型不符' },
  'yaml-bad-directive': { en: 'the directive (`%`) cannot be read', 'zh-CN': '无法读取指令（`%`）' },
  'yaml-bad-dq-escape': {
    en: 'the backslash in this quoted text begins no known escape; write `\\\\` for a backslash, or use single quotes',
    'zh-CN': '引号文本中的反斜杠不是已知的转义；请写 `\\\\` 表示反斜杠，或改用单引号',
  },
  'yaml-bad-indent': {
    en: 'the indentation is wrong: keys of one map begin in the same column',
    'zh-CN': '缩进有误：同一映射的键须从同一列开始',
  },
  'yaml-bad-prop-order': { en: 'anchors and tags come before the value', 'zh-CN': '锚点和标签须写在值之前' },
  'yaml-bad-scalar-start': {
    en: 'a plain text cannot begin with this character; put it in quotes',
    'zh-CN': '未加引号的文本不能以此字符开头；请加引号',
  },
  'yaml-block-as-implicit-key': {
    en: 'a second `:` in one line, or a map that begins where a value ends; put the text in quotes, or begin a new line',
    'zh-CN': '一行中有第二个 `:`，或映射从值的末尾开始；请给文本加引号，或另起一行',
  },
  'yaml-block-in-flow': {
    en: 'within braces and brackets everything is written in one flow, without indented blocks',
    'zh-CN': '花括号和方括号之内不能使用缩进的块',
  },
  'yaml-duplicate-key': { en: 'a key stands here twice', 'zh-CN': '键在此处出现两次' },
  'yaml-impossible': { en: 'the text cannot be read here', 'zh-CN': '此处的文本无法读取' },
  'yaml-key-over-1024-chars': { en: 'a key is longer than 1024 characters', 'zh-CN': '键超过 1024 个字符' },
  'yaml-missing-char': {
    en: 'something is missing here: a closing quote or bracket, a comma, or a space or line break',
    'zh-CN': '此处缺少字符：右引号、右括号、逗号、空格或换行',
  },
  'yaml-multiline-implicit-key': {
    en: 'a key has to stand in one line, followed by `:`; is a `:` missing?',
    'zh-CN': '键须写在一行内并以 `:` 结尾；是否缺少 `:`？',
  },
  'yaml-multiple-anchors': { en: 'a value has one anchor at most', 'zh-CN': '一个值最多有一个锚点' },
  'yaml-multiple-docs': { en: 'the text holds several documents', 'zh-CN': '文本含有多个文档' },
  'yaml-multiple-tags': { en: 'a value has one tag at most', 'zh-CN': '一个值最多有一个标签' },
  'yaml-non-string-key': { en: 'a key is not a plain text', 'zh-CN': '有一个键不是纯文本' },
  'yaml-tab-as-indent': { en: 'a tab cannot indent; use spaces', 'zh-CN': '不能用制表符缩进；请用空格' },
  'yaml-tag-resolve-failed': {
    en: 'the tag (`!name`) is not known, or its value cannot be read',
    'zh-CN': '标签（`!name`）未知，或其值无法读取',
  },
  'yaml-unexpected-token': { en: 'this cannot stand here', 'zh-CN': '此处不能出现这些字符' },
} as const satisfies TextTable;
