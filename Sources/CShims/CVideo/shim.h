#pragma once
// C shim for libavformat, libavcodec and libswscale: one frame of a video, and what its container says. Only for media-picture. Nothing links them:
// they load some sixty other libraries, and most pictures are no videos. They stay open for the life of the process.
//
// A video is untrusted. Its bytes come from an open file and nothing else: no demuxer can open another file or address.
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libswscale/swscale.h>

// Version 61 moves what the container says of a stream.
#if LIBAVCODEC_VERSION_MAJOR >= 61
#define VIDEO_SIDE_DATA(FIND) FIND(codec, av_packet_side_data_get)
#else
#define VIDEO_SIDE_DATA(FIND) FIND(format, av_stream_get_side_data)
#endif

#define VIDEO_FUNCTIONS(FIND) \
    VIDEO_SIDE_DATA(FIND) \
    FIND(format, avformat_alloc_context) \
    FIND(format, avformat_open_input) \
    FIND(format, avformat_close_input) \
    FIND(format, av_find_input_format) \
    FIND(format, av_find_best_stream) \
    FIND(format, av_read_frame) \
    FIND(format, av_seek_frame) \
    FIND(format, avio_alloc_context) \
    FIND(format, avio_context_free) \
    FIND(codec, avcodec_get_name) \
    FIND(codec, avcodec_find_decoder) \
    FIND(codec, avcodec_alloc_context3) \
    FIND(codec, avcodec_free_context) \
    FIND(codec, avcodec_parameters_to_context) \
    FIND(codec, avcodec_open2) \
    FIND(codec, avcodec_send_packet) \
    FIND(codec, avcodec_receive_frame) \
    FIND(codec, avcodec_flush_buffers) \
    FIND(codec, av_packet_alloc) \
    FIND(codec, av_packet_unref) \
    FIND(codec, av_packet_free) \
    FIND(util, av_frame_alloc) \
    FIND(util, av_frame_free) \
    FIND(util, av_dict_get) \
    FIND(util, av_malloc) \
    FIND(util, av_freep) \
    FIND(util, av_log_set_level) \
    FIND(util, av_display_rotation_get) \
    FIND(util, av_rescale_q) \
    FIND(scale, sws_getContext) \
    FIND(scale, sws_getCoefficients) \
    FIND(scale, sws_setColorspaceDetails) \
    FIND(scale, sws_scale) \
    FIND(scale, sws_freeContext)

typedef struct {
#define VIDEO_FIELD(library, name) __typeof__(name) *name;
    VIDEO_FUNCTIONS(VIDEO_FIELD)
#undef VIDEO_FIELD
} video_library;

static inline void *video_load(const char *name, int version) {
    char file[64];
    snprintf(file, sizeof file, "lib%s.so.%d", name, version);
    return dlopen(file, RTLD_LAZY | RTLD_LOCAL);
}

/// Fills the table. Returns 0 if a library is missing. Structures differ between versions, so only those load with which
/// the program was built.
static inline int video_open_library(video_library *table) {
    void *util = video_load("avutil", LIBAVUTIL_VERSION_MAJOR);
    void *codec = video_load("avcodec", LIBAVCODEC_VERSION_MAJOR);
    void *format = video_load("avformat", LIBAVFORMAT_VERSION_MAJOR);
    void *scale = video_load("swscale", LIBSWSCALE_VERSION_MAJOR);
    if (!util || !codec || !format || !scale) return 0;
#define VIDEO_FIND(library, name) \
    if (!(table->name = (__typeof__(table->name))dlsym(library, #name))) return 0;
    VIDEO_FUNCTIONS(VIDEO_FIND)
#undef VIDEO_FIND
    table->av_log_set_level(AV_LOG_QUIET);
    return 1;
}

/// A video that is open, its frame, and the one that was decoded after it.
typedef struct {
    const video_library *library;
    AVFormatContext *format;
    AVIOContext *input;
    AVCodecContext *codec;
    AVFrame *frame;
    AVFrame *next;
    AVPacket *packet;
    int stream;
    int file;
} video;

static inline int video_read(void *opaque, uint8_t *bytes, int count) {
    ssize_t read_count;
    do read_count = read(*(int *)opaque, bytes, (size_t)count);
    while (read_count < 0 && errno == EINTR);
    return read_count > 0 ? (int)read_count : read_count == 0 ? AVERROR_EOF : AVERROR(EIO);
}

static inline int64_t video_seek(void *opaque, int64_t offset, int whence) {
    if (whence & AVSEEK_SIZE) {
        off_t here = lseek(*(int *)opaque, 0, SEEK_CUR), size = lseek(*(int *)opaque, 0, SEEK_END);
        lseek(*(int *)opaque, here, SEEK_SET);
        return size;
    }
    return lseek(*(int *)opaque, offset, whence & ~AVSEEK_FORCE);
}

static inline int video_refuse_other_files(
    AVFormatContext *format, AVIOContext **input, const char *url, int flags, AVDictionary **options) {
    (void)format, (void)input, (void)url, (void)flags, (void)options;
    return AVERROR(EPERM);
}

/// The decoders that are trusted: what browsers play, and what cameras write.
static inline int video_is_trusted(enum AVCodecID codec) {
    switch (codec) {
    case AV_CODEC_ID_H264: case AV_CODEC_ID_HEVC: case AV_CODEC_ID_VP8: case AV_CODEC_ID_VP9: case AV_CODEC_ID_AV1:
    case AV_CODEC_ID_MPEG4: case AV_CODEC_ID_MJPEG: case AV_CODEC_ID_H263: return 1;
    default: return 0;
    }
}

static inline void video_close(video *video) {
    const video_library *av = video->library;
    if (video->packet) av->av_packet_free(&video->packet);
    if (video->frame) av->av_frame_free(&video->frame);
    if (video->next) av->av_frame_free(&video->next);
    if (video->codec) av->avcodec_free_context(&video->codec);
    if (video->format) av->avformat_close_input(&video->format);
    if (video->input) {
        av->av_freep(&video->input->buffer);
        av->avio_context_free(&video->input);
    }
}

/// Opens the streams of a file. `video` must not move until `video_close`, which the caller calls whatever this returns.
/// Returns NULL, or why it fails.
static inline const char *video_open_streams(video *video, const video_library *av, int file, const char *demuxer) {
    *video = (__typeof__(*video)){.library = av, .file = file, .stream = -1};
    const int size = 64 << 10;
    uint8_t *buffer = av->av_malloc(size);
    if (!buffer) return "memory is short";
    video->input = av->avio_alloc_context(buffer, size, 0, &video->file, video_read, NULL, video_seek);
    if (!video->input) {
        av->av_freep(&buffer);
        return "memory is short";
    }
    if (!(video->format = av->avformat_alloc_context())) return "memory is short";
    video->format->pb = video->input;
    video->format->io_open = video_refuse_other_files;
    // A failure frees the context.
    if (av->avformat_open_input(&video->format, NULL, av->av_find_input_format(demuxer), NULL) < 0)
        return "the video is damaged: its streams cannot be read";
    return NULL;
}

/// Opens a file as `video_open_streams` does, and chooses the stream that is shown.
static inline const char *video_open(video *video, const video_library *av, int file, const char *demuxer) {
    const char *fault = video_open_streams(video, av, file, demuxer);
    if (fault) return fault;
    // The headers of these containers tell enough. Looking for more would decode parts of every stream.
    video->stream = av->av_find_best_stream(video->format, AVMEDIA_TYPE_VIDEO, -1, -1, NULL, 0);
    return video->stream < 0 ? "the file holds no picture" : NULL;
}

static inline AVStream *video_stream(const video *video) { return video->format->streams[video->stream]; }

/// Prepares the decoder. Returns NULL, or why it fails.
static inline const char *video_begin(video *video, int64_t most_pixels) {
    const video_library *av = video->library;
    enum AVCodecID kind = video_stream(video)->codecpar->codec_id;
    const AVCodec *decoder = video_is_trusted(kind) ? av->avcodec_find_decoder(kind) : NULL;
    if (!decoder) return "nothing here decodes its kind of video";
    video->codec = av->avcodec_alloc_context3(decoder);
    video->frame = av->av_frame_alloc();
    video->next = av->av_frame_alloc();
    video->packet = av->av_packet_alloc();
    if (!video->codec || !video->frame || !video->next || !video->packet) return "memory is short";
    if (av->avcodec_parameters_to_context(video->codec, video_stream(video)->codecpar) < 0)
        return "the video is damaged: its stream is unknown";
    // Each thread would take frames of its own, and memory is limited.
    video->codec->thread_count = 1;
    video->codec->max_pixels = most_pixels;
    return av->avcodec_open2(video->codec, decoder, NULL) < 0 ? "nothing here decodes its kind of video" : NULL;
}

/// Decodes one packet alone. Returns whether there is a frame now.
static inline int video_decode(video *video) {
    const video_library *av = video->library;
    av->avcodec_flush_buffers(video->codec);
    int got = av->avcodec_send_packet(video->codec, video->packet) >= 0 &&
        av->avcodec_send_packet(video->codec, NULL) >= 0 && av->avcodec_receive_frame(video->codec, video->frame) >= 0;
    return got && video->frame->width > 0 && video->frame->height > 0;
}

/// Decodes a key frame at `seconds` or before it. Returns whether there is one.
static inline int video_frame_at(video *video, double seconds) {
    const video_library *av = video->library;
    AVStream *stream = video_stream(video);
    int64_t time = av->av_rescale_q((int64_t)(seconds * AV_TIME_BASE), AV_TIME_BASE_Q, stream->time_base);
    if (stream->start_time != AV_NOPTS_VALUE) time += stream->start_time;
    av->av_seek_frame(video->format, video->stream, time, AVSEEK_FLAG_BACKWARD);
    int key_frames = 0, packets = 0;
    while (key_frames < 8 && packets < 4096 && av->av_read_frame(video->format, video->packet) >= 0) {
        packets += 1;
        int is_key = video->packet->stream_index == video->stream && video->packet->flags & AV_PKT_FLAG_KEY;
        int got = is_key && video_decode(video);
        av->av_packet_unref(video->packet);
        if (got) return 1;
        key_frames += is_key;
    }
    return 0;
}

/// How long the next frame is shown, in units of its stream; 0 if it is unknown.
static inline int64_t video_next_length(const video *video) {
#if LIBAVUTIL_VERSION_MAJOR >= 58
    return video->next->duration;
#else
    return video->next->pkt_duration;
#endif
}

/// Decodes the frame that is shown at `seconds`, or the first one after it if none is shown then. It decodes the frames since
/// the key frame before, as long as the process has used less processor time than `end`, and the clock shows less than
/// `latest`. Returns whether there is one.
static inline int video_frame_shown_at(video *video, double seconds, clock_t end, time_t latest) {
    const video_library *av = video->library;
    AVStream *stream = video_stream(video);
    int64_t target = av->av_rescale_q((int64_t)(seconds * AV_TIME_BASE), AV_TIME_BASE_Q, stream->time_base);
    if (stream->start_time != AV_NOPTS_VALUE) target += stream->start_time;
    int64_t second = av->av_rescale_q(AV_TIME_BASE, AV_TIME_BASE_Q, stream->time_base);
    av->av_seek_frame(video->format, video->stream, target, AVSEEK_FLAG_BACKWARD);
    av->avcodec_flush_buffers(video->codec);
    int packets = 0, at_end = 0, is_shown = 0;
    int64_t until = 0;
    while (clock() < end && time(NULL) < latest && packets < 16384) {
        int got = av->avcodec_receive_frame(video->codec, video->next);
        if (got >= 0) {
            if (video->next->width <= 0 || video->next->height <= 0) return 0;
            int64_t shown = video->next->best_effort_timestamp, length = video_next_length(video);
            if (is_shown && shown != AV_NOPTS_VALUE && shown > target) return 1;
            AVFrame *frame = video->frame;
            video->frame = video->next, video->next = frame;
            is_shown = 1;
            if (shown == AV_NOPTS_VALUE || shown >= target) return 1;
            until = shown + (length > second ? length : second);
        } else if (got != AVERROR(EAGAIN) || at_end) {
            // The last frame stays a while. If it does not last until then, the others are missing.
            return is_shown && got == AVERROR_EOF && target <= until;
        } else if (av->av_read_frame(video->format, video->packet) < 0) {
            at_end = 1;
            av->avcodec_send_packet(video->codec, NULL);
        } else {
            packets += 1;
            if (video->packet->stream_index == video->stream) {
                // Nothing is decoded by frames that no other refers to, and they are half of all.
                int is_far = video->packet->pts != AV_NOPTS_VALUE && video->packet->pts < target - second;
                video->codec->skip_frame = is_far ? AVDISCARD_NONREF : AVDISCARD_DEFAULT;
                // A damaged packet costs its own frames.
                av->avcodec_send_packet(video->codec, video->packet);
            }
            av->av_packet_unref(video->packet);
        }
    }
    return 0;
}

/// The length of the video in seconds; 0 if it is unknown. From version 61 on, the headers of some containers tell that of
/// streams alone.
static inline double video_seconds(const video *video) {
    int64_t duration = video->format->duration;
    if (duration != AV_NOPTS_VALUE && duration > 0) return (double)duration / AV_TIME_BASE;
    const AVStream *stream = video_stream(video);
    if (stream->duration == AV_NOPTS_VALUE || stream->duration < 0 || stream->time_base.den <= 0) return 0;
    return (double)stream->duration * stream->time_base.num / stream->time_base.den;
}

/// The length of the longest stream in milliseconds; 0 if none is known.
static inline int64_t video_milliseconds(const video *video) {
    const AVRational unit = {1, 1000};
    int64_t longest = 0;
    if (video->format->duration != AV_NOPTS_VALUE)
        longest = video->library->av_rescale_q(video->format->duration, AV_TIME_BASE_Q, unit);
    for (unsigned i = 0; longest <= 0 && i < video->format->nb_streams; i++) {
        const AVStream *stream = video->format->streams[i];
        if (stream->duration == AV_NOPTS_VALUE || stream->time_base.num <= 0 || stream->time_base.den <= 0) continue;
        int64_t length = video->library->av_rescale_q(stream->duration, stream->time_base, unit);
        if (length > longest) longest = length;
    }
    return longest;
}

/// The codec of a stream; NULL if it is neither a video nor sound.
static inline const char *video_codec(const video *video, unsigned index, int *is_sound) {
    const AVStream *stream = video->format->streams[index];
    *is_sound = stream->codecpar->codec_type == AVMEDIA_TYPE_AUDIO;
    // The cover of a song is a stream, too.
    int is_film = stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO &&
        !(stream->disposition & AV_DISPOSITION_ATTACHED_PIC);
    return *is_sound || is_film ? video->library->avcodec_get_name(stream->codecpar->codec_id) : NULL;
}

/// What the container, or else its first stream that has it, says under a name; NULL if nothing does.
static inline const char *video_tag(const video *video, const char *name) {
    const AVDictionaryEntry *found = video->library->av_dict_get(video->format->metadata, name, NULL, 0);
    for (unsigned i = 0; !found && i < video->format->nb_streams; i++)
        found = video->library->av_dict_get(video->format->streams[i]->metadata, name, NULL, 0);
    return found ? found->value : NULL;
}

/// The width of a pixel divided by its height.
static inline double video_pixel_ratio(const video *video) {
    AVRational ratio = video->frame->sample_aspect_ratio;
    if (ratio.num <= 0 || ratio.den <= 0) ratio = video_stream(video)->sample_aspect_ratio;
    if (ratio.num <= 0 || ratio.den <= 0) return 1;
    return (double)ratio.num / ratio.den;
}

/// By how many degrees the frame has to be rotated counterclockwise.
static inline double video_rotation(const video *video) {
    size_t size = 0;
    const uint8_t *matrix = NULL;
#if LIBAVCODEC_VERSION_MAJOR >= 61
    const AVCodecParameters *known = video_stream(video)->codecpar;
    const AVPacketSideData *found = video->library->av_packet_side_data_get(
        known->coded_side_data, known->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX);
    if (found) matrix = found->data, size = found->size;
#else
    matrix = video->library->av_stream_get_side_data(video_stream(video), AV_PKT_DATA_DISPLAYMATRIX, &size);
#endif
    if (!matrix || size < 9 * sizeof(int32_t)) return 0;
    return video->library->av_display_rotation_get((const int32_t *)(void *)matrix);
}

/// Scales the frame to RGB pixels. Returns whether it succeeds.
static inline int video_scale(const video *video, uint8_t *pixels, int width, int height, int stride) {
    const video_library *av = video->library;
    const AVFrame *frame = video->frame;
    struct SwsContext *context = av->sws_getContext(
        frame->width, frame->height, (enum AVPixelFormat)frame->format, width, height, AV_PIX_FMT_RGB24, SWS_AREA, NULL,
        NULL, NULL);
    if (!context) return 0;
    // What tells no colour space has BT.709 from 720 rows on, as players assume.
    int space = frame->colorspace == AVCOL_SPC_UNSPECIFIED ? (frame->height >= 720 ? SWS_CS_ITU709 : SWS_CS_ITU601)
                                                           : (int)frame->colorspace;
    const int *from = av->sws_getCoefficients(space), *to = av->sws_getCoefficients(SWS_CS_DEFAULT);
    av->sws_setColorspaceDetails(context, from, frame->color_range == AVCOL_RANGE_JPEG, to, 1, 0, 1 << 16, 1 << 16);
    uint8_t *planes[4] = {pixels};
    int strides[4] = {stride};
    int rows = av->sws_scale(
        context, (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height, planes, strides);
    av->sws_freeContext(context);
    return rows == height;
}
