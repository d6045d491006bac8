import { confirmed } from '../outcome.ts'
import type { LocalModelSettings, ModelAnswer, ModelProvider, Question } from './model-provider.ts'

interface TextCounts {
  /**
   * The gateway's own measure of text, for models that report none: each ideograph, kana, hangul syllable, symbol and
   * punctuation mark is one unit, and so is each started group of four letters or digits.
   */
  readonly units: number
  readonly letters: number
  readonly ideographs: number
}

export const countUnits = (text: string): number => countText(text).units

function countText(text: string): TextCounts {
  let units = 0
  let letters = 0
  let ideographs = 0
  let wordLength = 0
  for (let at = 0; at < text.length; at += 1) {
    const codePoint = text.codePointAt(at)!
    const width = codePoint > 0xffff ? 2 : 1
    at += width - 1
    const kind = kindOf(codePoint)
    if (kind & isLetter) letters += 1
    if (kind & isIdeograph) ideographs += 1
    if (kind & isInWord) {
      wordLength += width
      continue
    }
    units += (wordLength + 3) >> 2
    wordLength = 0
    if (!(kind & isSpace)) units += 1
  }
  return { units: units + ((wordLength + 3) >> 2), letters, ideographs }
}

const isSpace = 1
/** A letter or digit of a script with words: four of them make a unit. */
const isInWord = 2
const isLetter = 4
const isIdeograph = 8
const isKnown = 128

/** Kinds of the common characters, filled as they are seen: testing Unicode properties each time takes four times as long. */
const kinds = new Uint8Array(0x10000)

function kindOf(codePoint: number): number {
  if (codePoint >= kinds.length) return testKind(codePoint)
  if (kinds[codePoint] === 0) kinds[codePoint] = testKind(codePoint)
  return kinds[codePoint]!
}

function testKind(codePoint: number): number {
  const char = String.fromCodePoint(codePoint)
  let kind = isKnown
  if (/\s/v.test(char)) kind |= isSpace
  if (/[[\p{L}\p{N}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]]/v.test(char)) kind |= isInWord
  if (/\p{L}/v.test(char)) kind |= isLetter
  if (/\p{sc=Han}/v.test(char)) kind |= isIdeograph
  return kind
}

/** Stands in for a model: no network and no randomness, so the same question always gets the same answer. */
export function createLocalModel({ models, maxPromptChars }: LocalModelSettings): ModelProvider {
  return {
    models,
    maxPromptChars,
    leavesProcess: false,
    ask: async (question) => confirmed(answer(question)),
    close: async () => {},
  }
}

const maxQuotedChars = 80

function answer({ model, prompt }: Question): ModelAnswer {
  const asked = countText(prompt)
  const text = isChinese(asked) ? chinese : english
  const parts = [text.opening(model, quote(prompt)), isQuestion(prompt) ? text.question : text.request]
  if (model.includes('large')) parts.push(text.closing)
  const output = parts.join(text.separator)
  const outputUnits = countUnits(output)
  return { output, inputUnits: asked.units, outputUnits, totalUnits: asked.units + outputUnits }
}

const chinese = {
  separator: '',
  opening: (model: string, prompt: string) => `这是本地模型 ${model} 的示例回答。你写的是：“${prompt}”。`,
  question: '这里没有连接真实的模型，所以不作判断；接入真实模型之后，这个问题会得到正式的回答。',
  request: '这里没有连接真实的模型，所以只确认已经收到；接入真实模型之后，会按你的要求完成。',
  closing: '同样的内容总会得到同样的回答，用量也总是相同，适合用来调试。',
}

const english: typeof chinese = {
  separator: ' ',
  opening: (model, prompt) => `This is a sample answer from the local model ${model}. You wrote: “${prompt}”.`,
  question: 'No real model is connected here, so it takes no position; a real model would answer the question.',
  request: 'No real model is connected here, so it only confirms receipt; a real model would carry it out.',
  closing: 'The same words always get the same answer and the same usage, which makes it suitable for testing.',
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
