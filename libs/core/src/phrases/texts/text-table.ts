/** The form of every table of texts: a code, and its text in each language with the same `{blanks}`. A missing language does not compile. */
export type TextTable = Readonly<Record<string, { readonly en: string; readonly 'zh-CN': string }>>;
