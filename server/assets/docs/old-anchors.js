// The reference was at /docs once: links to one of its operations still lead there.
if (/^#(tag|operation)\//.test(location.hash)) location.replace(`/docs/reference${location.hash}`)
