import { type ChatParameter, chatParameters, passedParameters } from '../contract/chat-parameters.ts'
import type { Line } from './guide-jobs.ts'

const code = (text: string) => `\`${text}\``
const names = Object.keys(chatParameters) as ChatParameter[]
const supported = names.filter((name) => chatParameters[name] === 'supported')
const codes = (list: readonly string[]) => list.map(code).join(', ')

/** The values of a parameter that mean "off", such as `store: false`. */
const offValues = names.flatMap((name) => {
  const use: string | readonly unknown[] = chatParameters[name]
  return typeof use === 'string' ? [] : use.map((value) => code(`${name}: ${JSON.stringify(value)}`))
})
const dropped = codes(names.filter((name) => chatParameters[name] === 'dropped'))

const row = (...cells: readonly (readonly [string, string])[]): Line => [
  `| ${cells.map(([english]) => english).join(' | ')} |`,
  `| ${cells.map(([, chinese]) => chinese).join(' | ')} |`,
]
const same = (text: string) => [text, text] as const

/** What OpenAI clients can use, as a table in both languages. */
export const openAiSupport: readonly Line[] = [
  row(['', ''], ['supported', '支持'], ['refused', '不支持'], ['use instead', '替代方式']),
  row(same('---'), same('---'), same('---'), same('---')),
  row(
    ['endpoints', '接口'],
    same('`POST /v1/chat/completions`, `GET /v1/models`, `GET /v1/models/{id}`'),
    [
      'everything else, such as Responses and embeddings: 404 `NOT_FOUND`',
      '其他接口，如 Responses、embeddings：404 `NOT_FOUND`',
    ],
    [
      "for Responses: `openai.chat('model')` in the AI SDK, `setOpenAIAPI('chat_completions')` in the Agents SDK",
      "Responses：AI SDK 用 `openai.chat('model')`，Agents SDK 用 `setOpenAIAPI('chat_completions')`",
    ],
  ),
  row(
    ['parameters', '参数'],
    [
      `${codes(supported)}; if the provider takes them: ${codes(passedParameters)}`,
      `${codes(supported)}；服务商支持时：${codes(passedParameters)}`,
    ],
    ['others: 400 `UNSUPPORTED_PARAMETER`', '其他参数：400 `UNSUPPORTED_PARAMETER`'],
    [
      `dropped without an error: null, ${offValues.join(', ')}, any ${dropped}`,
      `以下取值直接忽略，不报错：null、${offValues.join('、')}，以及任意的 ${dropped}`,
    ],
  ),
  row(
    ['messages', '消息'],
    ['text, tool calls, `reasoning_content`, `reasoning`', '文本、工具调用、`reasoning_content`、`reasoning`'],
    ['`image_url`, `input_audio`, `file`', '`image_url`、`input_audio`、`file`'],
    ['text', '文本'],
  ),
  row(['choices', '回答数'], same('`n: 1`'), ['more', '多于 1 个'], ['one call for each', '每个回答调用一次']),
  row(
    ['tools', '工具'],
    ['functions', '函数'],
    ['`functions`, tools that run at the provider', '`functions`、在服务商侧运行的工具'],
    ['`tools` of type `function`', '`function` 类型的 `tools`'],
  ),
]
