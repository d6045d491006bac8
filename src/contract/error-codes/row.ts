/** Whether a repeat can help: after a wait, after a change by the caller, or not at all. */
export type Repeat = 'wait' | 'fix' | 'never'

export interface ErrorRow {
  readonly status: number
  readonly repeat: Repeat
  /** The Retry-After of `wait`, when nothing better is known. */
  readonly waitSeconds: number
  /** What went wrong: the message of the response. */
  readonly meaning: string
  /** What the caller can do about it. */
  readonly retry: string
  /** The same two in Chinese, for the docs page. */
  readonly zh: { readonly meaning: string; readonly retry: string }
  /** What the consoles say instead, to a person who sent no request by hand. */
  readonly console: { readonly en: string; readonly zh: string }
}

/**
 * One error code, as four lines: its status and whether a repeat can help, its meaning, what to do, and the console's
 * sentence. Chinese follows after a bar.
 * The operator's API is documented in English only, so its first two sentences need no Chinese.
 */
export function row({ raw: [text] }: TemplateStringsArray): ErrorRow {
  const [head, meaning, retry, shown] = text!.split('\n').map((line) => line.trim().split(' | '))
  const [status, repeat, waitSeconds] = head![0]!.split(' ')
  const [en, zh] = shown!
  return {
    status: Number(status),
    repeat: repeat as Repeat,
    waitSeconds: Number(waitSeconds ?? 0),
    meaning: meaning![0]!,
    retry: retry![0]!,
    zh: { meaning: meaning![1] ?? meaning![0]!, retry: retry![1] ?? retry![0]! },
    console: { en: en!, zh: zh! },
  }
}

export const consoleWords = <Code extends string>(
  rows: Readonly<Record<Code, ErrorRow>>,
  language: 'en' | 'zh',
): Readonly<Record<Code, string>> =>
  Object.fromEntries(Object.entries<ErrorRow>(rows).map(([code, { console }]) => [code, console[language]])) as Record<
    Code,
    string
  >
