// Which language models hear and speak themselves, by their names.

// As their vendors name them: gpt-realtime-2.1, gpt-4o-mini-realtime-preview; gemini-3.8-live,
// gemini-2.5-flash-native-audio-preview-09-2025.
const realtimeModel = /(?:^|-)realtime(?:-|$)|^(?:models\/)?gemini-(?:[\w.-]*-)?(?:live|native-audio)(?:-|$)/i

/** Whether a language model hears and speaks itself. */
export const isRealtimeModel = (model: string): boolean => realtimeModel.test(model)
