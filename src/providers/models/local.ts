import { delay } from '../../base/timers.ts'
import { confirmed } from '../outcome.ts'
import {
  type CompletionBody,
  type CompletionQuestion,
  type CompletionResponse,
  type CompletionSink,
  promptOf,
  refuseLongPrompt,
} from './completion.ts'
import type { LocalModelSettings, ModelProvider } from './model-provider.ts'
import { countText, countUnits, type TextCounts } from './units.ts'

/** Stands in for a model: no network and no randomness, so the same request always gets the same response. */
export function createLocalModel(settings: LocalModelSettings): ModelProvider {
  return {
    models: settings.models,
    leavesProcess: false,
    refuse: (body) => refuseLongPrompt(body, settings.maxPromptChars),
    complete: async (question) => confirmed(await complete(question, settings.maxOutputTokens)),
    close: async () => {},
  }
}

const partPauseMs = 25
const partChars = 24

async function complete(
  { model, body, sink }: CompletionQuestion,
  maxOutputTokens: number,
): Promise<CompletionResponse> {
  const limit = Math.min(body.max_completion_tokens ?? body.max_tokens ?? maxOutputTokens, maxOutputTokens)
  const words = lastWords(body)
  const asked = countText(words)
  const whole = replyTo(model, words, asked)
  const content = withinUnits(whole, limit)
  if (sink) await sendParts(content, sink)
  const prompt = promptOf(body)
  const inputUnits = prompt === words ? asked.units : countUnits(prompt)
  const outputUnits = countUnits(content)
  return {
    content,
    refusal: null,
    toolCalls: [],
    finishReason: content.length < whole.length ? 'length' : 'stop',
    inputUnits,
    outputUnits,
    totalUnits: inputUnits + outputUnits,
  }
}

async function sendParts(content: string, sink: CompletionSink): Promise<void> {
  const parts = content.match(partPattern) ?? ['']
  for (const part of parts.slice(0, -1)) {
    sink.onChunk({ content: part })
    // A gateway that stops gets the rest at once.
    await delay(partPauseMs, { signal: sink.signal }).catch(() => {})
  }
  sink.onLast({ content: parts.at(-1)! })
}

const partPattern = new RegExp(`.{1,${partChars}}`, 'gsu')

function lastWords({ messages }: CompletionBody): string {
  const content = messages.findLast(({ role }) => role === 'user')?.content ?? ''
  return typeof content === 'string' ? content : content.map(({ text }) => text).join('\n')
}

/** As much of the text as the limit allows. */
function withinUnits(text: string, limit: number): string {
  // No text has more units than code units.
  if (text.length <= limit) return text
  const chars = Array.from(text)
  let end = chars.length
  while (countUnits(chars.slice(0, end).join('')) > limit) end -= 1
  return chars.slice(0, end).join('')
}

const maxQuotedChars = 80

function replyTo(model: string, prompt: string, asked: TextCounts): string {
  const text = isChinese(asked) ? chinese : english
  const parts = [text.opening(model, quote(prompt)), isQuestion(prompt) ? text.question : text.request]
  if (model.includes('large')) parts.push(text.closing)
  return parts.join(text.separator)
}

const chinese = {
  separator: '',
  opening: (model: string, prompt: string) => `这是本地模型 ${model} 的示例回答。您输入的是：“${prompt}”。`,
  question: '当前未接入真实模型，无法作出判断；接入后，您将得到正式的回答。',
  request: '当前未接入真实模型，仅确认已收到；接入后，将按您的要求完成。',
  closing: '相同的内容始终得到相同的回答，用量也相同，适合用于调试。',
}

const english: typeof chinese = {
  separator: ' ',
  opening: (model, prompt) => `This is a sample response from the local model ${model}. You wrote: “${prompt}”.`,
  question: 'No real model is connected, so it cannot judge; a real model would answer the question.',
  request: 'No real model is connected here, so it only confirms receipt; a real model would carry it out.',
  closing: 'The same words always get the same response and the same usage, which is handy for testing.',
}

/** A third of ideographs is enough, because names and terms are often Latin. */
const isChinese = ({ letters, ideographs }: TextCounts) => ideographs > 0 && ideographs * 3 >= letters

const isQuestion = (prompt: string) => /[?？吗呢]$/.test(prompt.trimEnd())

/** The beginning of the prompt, on one line. */
function quote(prompt: string): string {
  // Matches no single space, so that most prompts are left untouched.
  const line = prompt
    .toWellFormed()
    .replace(/[^\S ]\s*| \s+/g, ' ')
    .trim()
  if (line.length <= maxQuotedChars) return line
  const start = firstChars.exec(line)?.[0] ?? line
  return start.length === line.length ? line : `${start}…`
}

const firstChars = new RegExp(`^.{${maxQuotedChars}}`, 'su')
