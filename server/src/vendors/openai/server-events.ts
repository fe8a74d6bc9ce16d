// The messages that a server of OpenAI's realtime interface sends, in conversations and in transcriptions, as of openai 7.55.
export const transcribed = 'conversation.item.input_audio_transcription'

export const serverEvents = [
  ...(['session.created', 'session.updated', 'session.closed', 'rate_limits.updated', 'error'] as const),
  ...(['transcription_session.created', 'transcription_session.updated'] as const),
  ...(['conversation.created', 'conversation.item.created', 'conversation.item.added'] as const),
  ...(['conversation.item.done', 'conversation.item.deleted', 'conversation.item.retrieved'] as const),
  ...(['conversation.item.truncated', 'input_audio_buffer.committed', 'input_audio_buffer.cleared'] as const),
  ...(['input_audio_buffer.speech_started', 'input_audio_buffer.speech_stopped'] as const),
  ...(['input_audio_buffer.timeout_triggered', 'input_audio_buffer.dtmf_event_received'] as const),
  ...(['output_audio_buffer.started', 'output_audio_buffer.stopped', 'output_audio_buffer.cleared'] as const),
  ...([`${transcribed}.delta`, `${transcribed}.segment`] as const),
  ...([`${transcribed}.completed`, `${transcribed}.failed`] as const),
  ...(['response.created', 'response.done', 'response.output_item.added'] as const),
  ...(['response.output_item.done', 'response.content_part.added', 'response.content_part.done'] as const),
  ...(['response.output_text.delta', 'response.output_text.done', 'response.output_audio.delta'] as const),
  ...(['response.output_audio.done', 'response.output_audio_transcript.delta'] as const),
  ...(['response.output_audio_transcript.done', 'response.function_call_arguments.delta'] as const),
  ...(['response.function_call_arguments.done', 'response.mcp_call_arguments.delta'] as const),
  ...(['response.mcp_call_arguments.done', 'response.mcp_call.in_progress'] as const),
  ...(['response.mcp_call.completed', 'response.mcp_call.failed', 'mcp_list_tools.in_progress'] as const),
  ...(['mcp_list_tools.completed', 'mcp_list_tools.failed'] as const),
]
