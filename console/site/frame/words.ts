import type { Language } from '../../../src/documents/guide.ts'

/** What stands around every public page, in both languages. */
export const frameWords = {
  en: {
    product: 'API Relay Gateway',
    skip: 'Skip to content',
    site: 'Site',
    prices: 'Prices',
    docs: 'Docs',
    verify: 'Verify a receipt',
    status: 'Service status',
    otherLanguage: '中文',
    signIn: 'Sign in',
    console: 'Console',
    operator: 'Operator',
    contact: 'Contact',
    terms: 'Terms of service',
    privacy: 'Privacy policy',
    icp: 'ICP filing',
    filing: (model: string) => `Filing of ${model}`,
    notFound: 'Page not found',
    notFoundLead: 'Check the link, or start from the home page.',
    home: 'Home page',
  },
  zh: {
    product: 'API 中继网关',
    skip: '跳到正文',
    site: '站点',
    prices: '价格',
    docs: '接口文档',
    verify: '核验收据',
    status: '服务状态',
    otherLanguage: 'English',
    signIn: '登录',
    console: '控制台',
    operator: '运营方',
    contact: '联系我们',
    terms: '服务条款',
    privacy: '隐私政策',
    icp: 'ICP 备案号',
    filing: (model: string) => `${model} 备案号`,
    notFound: '页面不存在',
    notFoundLead: '请检查链接，或从首页重新开始。',
    home: '返回首页',
  },
} as const satisfies Readonly<Record<Language, unknown>>

export const otherThan = (language: Language): Language => (language === 'en' ? 'zh' : 'en')
