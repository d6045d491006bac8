/** Home and kitchen first. One product a line: id | title | fen | availability | highlights | extra search terms. */
export const shopA = `
a-1001 | 不锈钢保温杯 500ml | 4900 | available | 304 不锈钢、防漏杯盖 | 水杯 杯子 thermos cup bottle mug
a-1002 | 真空保温壶 2L 家用热水瓶 | 12900 | available | 24 小时保温、玻璃内胆 | 热水壶 thermos kettle bottle
a-1003 | 手冲咖啡壶套装 含滤杯 | 15900 | available | 耐热玻璃、附 40 张滤纸、600ml | coffee dripper pot
a-1004 | 阿拉比卡咖啡豆 中度烘焙 500g | 6800 | available | 当周烘焙、坚果风味 | 咖啡 coffee beans
a-1005 | 便携手摇磨豆机 | 9900 | unknown | 陶瓷磨芯、可调粗细 | 咖啡 磨豆 coffee grinder
a-1006 | 铸铁炒锅 32cm 无涂层 | 19900 | available | 明火电磁炉通用、附木盖 | 锅具 厨房 wok pan kitchen
a-1007 | 多功能电饭煲 4L | 29900 | available | 预约定时、陶瓷内胆、三层保温 | 厨房 家电 rice cooker kitchen
a-1008 | 破壁料理机 静音款 | 59900 | unavailable | 1.75L 容量、十档调速 | 豆浆机 榨汁机 厨房 blender juicer kitchen
a-1009 | 竹纤维毛巾 三条装 | 3900 | available | 吸水柔软、不易掉毛 | 洗脸巾 towel
a-1010 | 纯棉四件套 1.8 米床 | 35900 | available | 60 支长绒棉、活性印染 | 床上用品 床单 被套 bedding sheet
a-1011 | 记忆棉枕头 慢回弹 | 12800 | available | 可拆洗、护颈曲线 | 枕 睡眠 pillow
a-1012 | 护眼台灯 无级调光 | 16900 | available | 无可视频闪、显色指数 95、USB-C 供电 | 灯 学习 阅读 desk lamp light
a-1013 | 香薰蜡烛 雪松 200g | 5900 | available | 大豆蜡、燃烧 40 小时 | 礼物 礼品 生日 candle gift
a-1014 | 折叠收纳箱 66L 两只装 | 7900 | available | 加厚底板、可叠放 | 整理箱 storage box
a-1015 | 扫地机器人 自动集尘 | 219900 | available | 激光导航、三个月免倒尘 | 家电 吸尘器 robot vacuum cleaner
a-1016 | 无线吸尘器 手持 | 89900 | unknown | 60 分钟续航、可换电池 | 家电 vacuum cleaner
a-1017 | 空气净化器 60 平米 | 149900 | available | HEPA 滤芯、夜间静音 | 家电 air purifier
a-1018 | 变频冷暖空调 1.5 匹 | 289900 | available | 新一级能效、自清洁 | 家电 air conditioner
a-1019 | 对开门冰箱 520L | 459900 | unavailable | 风冷无霜、双循环 | 家电 fridge refrigerator
a-1020 | 实木书桌 1.2 米 | 79900 | available | 橡木、圆角、免打孔线槽 | 桌子 家具 书房 desk table
a-1021 | 人体工学椅 Basic | 99900 | available | 可调腰托、网布透气 | 椅子 办公椅 家具 office chair
a-1022 | 厨房湿巾 80 抽 | 990 | available | 一擦去油 | 清洁 wipes
a-1023 | 一次性纸杯 50 只 | 590 | available | 加厚防烫 | 杯子 水杯 paper cup
a-1024 | 测试样品 演示商品 A | 100 | available | 本地样品 | 商品 示例 test sample demo product item
`
